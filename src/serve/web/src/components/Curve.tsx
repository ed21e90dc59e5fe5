// Curves, drawn by uPlot in the colours of the page. A pointer over them reads values, a click
// picks a point.
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";

export interface Line {
    label: string;
    values: readonly (number | null)[];
    color: string; // name of a CSS variable: "--accent"
    fill?: string; // name of a CSS variable for the area below
}

export interface CurveProps {
    x: readonly number[]; // ascending
    lines: readonly Line[];
    label: string; // describes the picture in words
    xText: (x: number) => string;
    yText: (y: number) => string;
    read?: (index: number) => string; // the text for a point; else x and y
    height?: number;
    range?: readonly [number, number]; // of y; else that of the values
    at?: number | null; // the index of a marked point
    onPick?: (index: number) => void;
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

export function Curve(props: CurveProps) {
    const box = useRef<HTMLDivElement>(null);
    const drawing = useRef<uPlot | null>(null);
    const latest = useRef(props);
    latest.current = props;
    const [index, setIndex] = useState<number | null>(null);
    const [drawn, redraw] = useState(0);

    useEffect(() => {
        const again = () => redraw((n) => n + 1);
        const scheme = matchMedia("(prefers-color-scheme: dark)");
        addEventListener("themechange", again);
        scheme.addEventListener("change", again);
        return () => {
            removeEventListener("themechange", again);
            scheme.removeEventListener("change", again);
        };
    }, []);

    useEffect(() => {
        const element = box.current!;
        const height = props.height ?? 220;
        const [soft, grid, mark] = colors(element, ["--soft", "--line", "--focus"]);
        const strokes = colors(element, props.lines.map((line) => line.color));
        const fills = colors(element, props.lines.map((line) => line.fill ?? "--page"));
        const axis = { stroke: soft, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
        const plot = new uPlot(
            {
                width: Math.max(element.clientWidth, 120),
                height,
                legend: { show: false },
                padding: [10, 8, 0, 0],
                scales: {
                    x: { time: false },
                    y: props.range ? { range: [...props.range] } : {},
                },
                axes: [
                    { ...axis, space: 60, incrs: [1, 2, 5, 10, 20, 25, 50, 100], values: (_, splits) => splits.map((x) => latest.current.xText(x)) },
                    { ...axis, size: 46, values: (_, splits) => splits.map((y) => latest.current.yText(y)) },
                ],
                series: [
                    {},
                    ...props.lines.map((line, number) => ({
                        label: line.label,
                        stroke: strokes[number],
                        width: 2,
                        spanGaps: true,
                        points: { show: props.x.length < 3 },
                        ...(line.fill !== undefined && { fill: fills[number] }),
                    })),
                ],
                cursor: {
                    y: false,
                    drag: { x: false, y: false },
                    points: { size: 8 },
                },
                hooks: {
                    setCursor: [(self) => setIndex(self.cursor.idx ?? null)],
                    draw: [
                        (self) => {
                            const at = latest.current.at;
                            const x = at == null ? undefined : latest.current.x[at];
                            if (x === undefined) return;
                            const left = self.valToPos(x, "x", true);
                            self.ctx.fillStyle = mark!;
                            self.ctx.fillRect(left - 1, self.bbox.top, 2, self.bbox.height);
                        },
                    ],
                },
            },
            [[...props.x], ...props.lines.map((line) => [...line.values])] as uPlot.AlignedData,
            element,
        );
        const onClick = () => {
            const picked = plot.cursor.idx;
            if (picked != null) latest.current.onPick?.(picked);
        };
        plot.over.addEventListener("click", onClick);
        drawing.current = plot;
        const resized = new ResizeObserver(() =>
            plot.setSize({ width: Math.max(element.clientWidth, 120), height }),
        );
        resized.observe(element);
        return () => {
            resized.disconnect();
            drawing.current = null;
            plot.destroy();
        };
    }, [drawn, props.x.join(), JSON.stringify(props.lines), props.height]);

    // On paper a canvas has another size, and it would be printed before it is drawn again. So an
    // image of it is printed.
    useEffect(() => {
        const picture = document.createElement("canvas");
        picture.className = "on-paper";
        const begin = () => {
            const canvas = box.current?.querySelector("canvas");
            if (!canvas) return;
            picture.width = canvas.width;
            picture.height = canvas.height;
            picture.getContext("2d")?.drawImage(canvas, 0, 0);
            box.current!.append(picture);
        };
        const end = () => picture.remove();
        addEventListener("beforeprint", begin);
        addEventListener("afterprint", end);
        return () => {
            removeEventListener("beforeprint", begin);
            removeEventListener("afterprint", end);
            end();
        };
    }, []);

    // A step along the moves only moves the mark.
    useEffect(() => drawing.current?.redraw(false), [props.at]);

    const reading =
        index === null
            ? ""
            : (props.read?.(index) ??
              [
                  props.xText(props.x[index]!),
                  ...props.lines.map((line) => props.yText(line.values[index] ?? NaN)),
              ].join(" · "));
    return (
        <div class={`curve ${props.onPick ? "curve-pick" : ""}`}>
            <div ref={box} class="curve-box" role="img" aria-label={props.label} />
            <div class="curve-reading" aria-hidden="true">
                {reading}
            </div>
        </div>
    );
}
