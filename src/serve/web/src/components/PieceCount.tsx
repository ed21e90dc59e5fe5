// How many of a piece there must be, as a list to choose from.
import { Piece } from "./Piece";
import { pieceName } from "./squares";

const kCounts = ["=0", "=1", "=2", ">=1", ">=2", "<=1"];
const kPawnCounts = ["=0", "=1", "=2", "=3", ">=1", ">=2", ">=4", "<=1", "<=2", "<=4"];
const kSigns: Record<string, string> = {
    "=": "",
    ">=": "≥",
    "<=": "≤",
    "!=": "≠",
    "<": "<",
    ">": ">",
};

function countText(how: string): string {
    return how.replace(/^\D+/, (sign) => kSigns[sign] ?? sign);
}

export function PieceCount(props: {
    piece: string; // "Q", "p"
    how: string; // ">=1"; "" for any number
    onChange: (how: string) => void;
}) {
    const { piece, how } = props;
    const listed = piece.toLowerCase() === "p" ? kPawnCounts : kCounts;
    const choices = how === "" || listed.includes(how) ? listed : [how, ...listed];
    return (
        <label>
            <Piece piece={piece} />
            <select
                aria-label={pieceName(piece)}
                value={how}
                onChange={(event) => props.onChange(event.currentTarget.value)}
            >
                <option value="">–</option>
                {choices.map((choice) => (
                    <option key={choice} value={choice}>
                        {countText(choice)}
                    </option>
                ))}
            </select>
        </label>
    );
}
