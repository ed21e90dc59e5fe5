// Draws lines over numbers with uPlot, in the colours of the page.
import uPlot from "uplot";

export interface Line {
    label: string;
    values: readonly (number | null)[];
    color: string; // name of a CSS variable: "--accent"
    fill?: string; // name of a CSS variable for the area below
}

export interface Plot {
    x: readonly number[]; // ascending
    lines: readonly Line[];
    xText: (x: number) => string;
    yText: (y: number) => string;
    // Distances of the ticks on an axis, of which the plot chooses one.
    xSteps?: number[];
    ySteps?: number[];
    height?: number;
    range?: readonly [number, number]; // of y; else that of the values
    at?: number | null; // the index of a marked point
}

// Returns the width of a plot in an element, which may be narrower.
export function widthOf(element: HTMLElement): number {
    return Math.max(element.clientWidth, 120);
}

function color(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Returns colours for a canvas, which cannot read light-dark(): an element evaluates them.
function colors(element: HTMLElement, names: readonly string[]): string[] {
    const probe = element.appendChild(document.createElement("i"));
    const found = names.map((name) => {
        probe.style.color = color(name);
        return getComputedStyle(probe).color;
    });
    probe.remove();
    return found;
}

function seriesOf(element: HTMLElement, { x, lines }: Plot): uPlot.Series[] {
    const strokes = colors(
        element,
        lines.map((line) => line.color),
    );
    const fills = colors(
        element,
        lines.map((line) => line.fill ?? "--page"),
    );
    const series = lines.map((line, number) => ({
        label: line.label,
        stroke: strokes[number],
        width: 2,
        spanGaps: true,
        points: { show: x.length < 3 },
        ...(line.fill !== undefined && { fill: fills[number] }),
    }));
    return [{}, ...series]; // uPlot's first series is x
}

function drawMark(plot: uPlot, { x, at }: Plot, fill: string): void {
    const marked = at == null ? undefined : x[at];
    if (marked === undefined) return;
    const left = plot.valToPos(marked, "x", true);
    plot.ctx.fillStyle = fill;
    plot.ctx.fillRect(left - 1, plot.bbox.top, 2, plot.bbox.height);
}

// Reads the lines once; reads the mark and the texts of the axes each time that uPlot draws.
// Calls `onPoint` with the index of the point below the pointer.
export function makePlot(
    element: HTMLElement,
    latest: { current: Plot },
    onPoint: (index: number | null) => void,
): uPlot {
    const { x, lines, height = 220, range } = latest.current;
    const [soft, grid, mark] = colors(element, ["--soft", "--line", "--focus"]);
    const axis = {
        stroke: soft,
        grid: { stroke: grid, width: 1 },
        ticks: { show: false },
        font: "12px system-ui, sans-serif",
    };
    const options: uPlot.Options = {
        width: widthOf(element),
        height,
        legend: { show: false },
        padding: [10, 8, 0, 0],
        scales: { x: { time: false }, y: range ? { range: [...range] } : {} },
        axes: [
            {
                ...axis,
                space: 60,
                incrs: latest.current.xSteps ?? [1, 2, 5, 10, 20, 50, 100],
                values: (_, splits) => splits.map((x) => latest.current.xText(x)),
            },
            {
                ...axis,
                size: 46,
                incrs: latest.current.ySteps ?? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
                values: (_, splits) => splits.map((y) => latest.current.yText(y)),
            },
        ],
        series: seriesOf(element, latest.current),
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
        hooks: {
            setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
            draw: [(plot) => drawMark(plot, latest.current, mark!)],
        },
    };
    const data = [[...x], ...lines.map((line) => [...line.values])];
    return new uPlot(options, data as uPlot.AlignedData, element);
}
