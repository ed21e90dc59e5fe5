// A piece of the sprite, for pockets, palettes and dialogs.
import { spriteName } from "./squares";

export function Piece({ piece, class: name = "" }: { piece: string; class?: string }) {
    return (
        <svg class={`piece-icon ${name}`} viewBox="0 0 40 40" aria-hidden="true">
            <use href={`${PIECES_URL}#${spriteName(piece)}`} />
        </svg>
    );
}
