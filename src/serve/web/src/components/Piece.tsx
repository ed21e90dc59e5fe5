// A piece of the sprite, for pockets, palettes and dialogs.
import { piecesUrl } from "./piece-set";
import { spriteName } from "./squares";

export function Piece({ piece, class: name = "" }: { piece: string; class?: string }) {
    return (
        <svg class={`piece-icon ${name}`} viewBox="0 0 40 40" aria-hidden="true">
            <use href={`${piecesUrl()}#${spriteName(piece)}`} />
        </svg>
    );
}
