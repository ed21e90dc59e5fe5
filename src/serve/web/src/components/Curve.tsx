// Curves over numbers. A pointer over them reads values, a click picks a point.
import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { useColorChanges } from "../theme";
import { useOnPaper } from "./paper";
import { makePlot, widthOf, type Plot } from "./plot";

export interface CurveProps extends Plot {
    label: string; // describes the picture in words
    read?: (index: number) => string; // the text for a point; else x and y
    onPick?: (index: number) => void;
}

export function Curve(props: CurveProps) {
    const box = useRef<HTMLDivElement>(null);
    const drawing = useRef<uPlot | null>(null);
    const latest = useRef(props);
    latest.current = props;
    const [index, setIndex] = useState<number | null>(null);
    const colors = useColorChanges();

    useEffect(() => {
        const element = box.current!;
        const plot = makePlot(element, latest, setIndex);
        plot.over.addEventListener("click", () => {
            const picked = plot.cursor.idx;
            if (picked != null) latest.current.onPick?.(picked);
        });
        drawing.current = plot;
        const resized = new ResizeObserver(() =>
            plot.setSize({ width: widthOf(element), height: plot.height }),
        );
        resized.observe(element);
        return () => {
            resized.disconnect();
            drawing.current = null;
            plot.destroy();
        };
    }, [colors, props.x.join(), JSON.stringify(props.lines), props.height]);

    useOnPaper(box);

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
