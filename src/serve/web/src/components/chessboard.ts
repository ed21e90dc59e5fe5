// Sets up cm-chessboard for the page: with our sprites and markers, and without style attributes.
// The page's Content-Security-Policy forbids these; it allows styles that a script sets.
import { Chessboard } from "cm-chessboard/src/Chessboard.js";
import { Arrows } from "cm-chessboard/src/extensions/arrows/Arrows.js";
import { Markers } from "cm-chessboard/src/extensions/markers/Markers.js";
import { Svg } from "cm-chessboard/src/lib/Svg.js";
import { piecesUrl } from "./piece-set";

const { createSvg, addElement } = Svg;

Svg.createSvg = (container) => {
    const svg = createSvg(container);
    const setAttribute = svg.setAttribute.bind(svg);
    svg.setAttribute = (name: string, value: string) => {
        if (name === "style") svg.style.cssText = value;
        else setAttribute(name, value);
    };
    return svg;
};
Svg.addElement = (parent, name, { style, ...attributes } = {}) => {
    const element = addElement(parent, name, attributes);
    if (style !== undefined) element.style.cssText = String(style);
    return element;
};

// If the board is resized while a piece moves, it has removed that piece already.
Svg.removeElement = (element) => element?.remove();

export const kMarker = {
    lastMove: { class: "mark-last", slice: "markerSquare" },
    selected: { class: "mark-selected", slice: "markerSquare" },
    check: { class: "mark-check", slice: "markerCircle" },
    over: { class: "mark-over", slice: "markerFrame" },
    target: { class: "mark-target", slice: "markerDot", position: "above" },
    capture: { class: "mark-target", slice: "markerBevel", position: "above" },
} as const;

// Kinds of arrows and rings.
const kKinds = [
    "move",
    "hint",
    "fresh", // a move that was new
    "green",
    "red",
    "yellow",
    "blue",
] as const;
export type ArrowKind = (typeof kKinds)[number];

function byKind<T>(make: (kind: ArrowKind) => T): Record<ArrowKind, T> {
    return Object.fromEntries(kKinds.map((kind) => [kind, make(kind)])) as Record<ArrowKind, T>;
}
export const kArrow = byKind((kind) => ({ class: `arrow-${kind}` }));
export const kRing = byKind((kind) => ({ class: `ring-${kind}`, slice: "markerCircle" }));

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function makeBoard(context: HTMLElement, position: string, orientation: "w" | "b") {
    return new Chessboard(context, {
        position,
        orientation,
        assetsUrl: "./",
        assetsCache: false,
        style: {
            cssClass: "fendex",
            showCoordinates: true,
            pieces: { file: piecesUrl(), tileSize: 40 },
            animationDuration: calm.matches ? 0 : 160,
        },
        extensions: [
            { class: Markers, props: { sprite: MARKS_URL, autoMarkers: null } },
            {
                class: Arrows,
                props: { sprite: MARKS_URL, slice: "arrowHead", headSize: 4, offsetTo: 0.35 },
            },
        ],
    });
}
