// The legal moves of a position, and those from one square of the board to another.
import { useApi } from "../api";
import type { LegalMove, Position } from "../types";

// Returns nothing while the server has not told them.
export function useLegal(variant: string, fen: string): readonly LegalMove[] | undefined {
    const { data, other } = useApi<Position>("position", [
        ["variant", variant],
        ["fen", fen],
    ]);
    return other ? undefined : data?.legal;
}

// Returns the squares on which the piece can be put to play this move. For castling these are
// the king's new square and the rook's square.
function targets(move: LegalMove): string[] {
    if (!move.san.startsWith("O-O") || !move.from) return [move.to];
    const rank = move.from[1]!;
    const long = move.san.startsWith("O-O-O");
    return [move.to, (long ? "c" : "g") + rank, (long ? "a" : "h") + rank];
}

// Returns several moves only if a pawn may become several pieces.
export function candidates(legal: readonly LegalMove[], from: string, to: string): LegalMove[] {
    const moves = legal.filter((move) => move.from === from);
    const exact = moves.filter((move) => move.to === to);
    if (exact.length > 0) return exact;
    return moves.filter((move) => targets(move).includes(to)).slice(0, 1);
}
