// Types for the parts of cm-chessboard that the page uses. The package has none of its own.
declare module "cm-chessboard/src/Chessboard.js" {
    export const COLOR: { white: "w"; black: "b" };
    export const INPUT_EVENT_TYPE: Record<
        | "moveInputStarted"
        | "movingOverSquare"
        | "validateMoveInput"
        | "moveInputCanceled"
        | "moveInputFinished",
        string
    >;
    export interface InputEvent {
        type: string;
        squareFrom: string;
        squareTo: string;
        piece: string | null;
        animate?: boolean;
    }
    export interface MarkerType {
        class: string;
        slice: string;
        position?: "above";
    }
    export class Chessboard {
        constructor(context: HTMLElement, props: object);
        view: {
            svg: SVGSVGElement;
            markersTopLayer: SVGGElement;
            squareWidth: number;
            squareHeight: number;
            squareToPoint(square: string): { x: number; y: number };
        };
        setPosition(fen: string, animated?: boolean): Promise<void>;
        setOrientation(color: "w" | "b", animated?: boolean): Promise<void>;
        getOrientation(): "w" | "b";
        getPosition(): string;
        getPiece(square: string): string | null;
        enableMoveInput(handler: (event: InputEvent) => boolean | void, color?: "w" | "b"): void;
        disableMoveInput(): void;
        isMoveInputEnabled(): boolean;
        cancelMoveInput(): void;
        addMarker(type: MarkerType, square: string): void;
        removeMarkers(type?: MarkerType, square?: string): void;
        addArrow(type: { class: string }, from: string, to: string): void;
        removeArrows(type?: { class: string }): void;
        destroy(): void;
    }
}
declare module "cm-chessboard/src/lib/Svg.js" {
    export class Svg {
        static createSvg(container?: Element): SVGSVGElement;
        static removeElement(element: Element | null | undefined): void;
        static addElement(
            parent: Element,
            name: string,
            attributes?: Record<string, string | number>,
        ): SVGElement;
    }
}
declare module "cm-chessboard/src/extensions/markers/Markers.js" {
    export class Markers {}
}
declare module "cm-chessboard/src/extensions/arrows/Arrows.js" {
    export class Arrows {}
}
