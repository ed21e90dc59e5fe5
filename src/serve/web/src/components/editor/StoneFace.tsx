// A stone as it is drawn: a piece, or a text.
import { Piece } from "../Piece";
import { kPieceCodes, type Stone } from "./stones";

export function StoneFace({ stone }: { stone: Stone }) {
    if (stone.text === undefined && kPieceCodes.includes(stone.code))
        return <Piece piece={stone.code} />;
    return (
        <span class="joker" aria-hidden="true">
            {stone.text ?? stone.code}
        </span>
    );
}
