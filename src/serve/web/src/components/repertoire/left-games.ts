// The games that had a position of a repertoire, as the server lists them.
import { useEffect, useState } from "preact/hooks";
import { asApiError, type ApiError, type Query } from "../../api";
import type { RepertoireGame } from "../../types";
import { postedRows } from "../posted-rows";

export const kSides = ["player", "opponent", "nobody"] as const;
export const kSideWords = {
    player: "leftByMe",
    opponent: "leftByOpponent",
    nobody: "leftByNobody",
} as const;

interface LeftGames {
    rows: RepertoireGame[];
    more: boolean;
    error?: ApiError;
    loading: boolean;
}

// Returns the first games, `most` of them, and whether there are more.
export function useLeftGames(pgn: Blob, query: Query, most: number): LeftGames {
    const [games, setGames] = useState<LeftGames>({ rows: [], more: false, loading: true });
    useEffect(() => {
        const abort = new AbortController();
        setGames((before) => ({ ...before, error: undefined, loading: true }));
        postedRows<RepertoireGame>("repertoire", query, pgn, abort.signal, most + 1)
            .then((rows) =>
                setGames({ rows: rows.slice(0, most), more: rows.length > most, loading: false }),
            )
            .catch((failure: unknown) => {
                if (abort.signal.aborted) return;
                setGames({ rows: [], more: false, error: asApiError(failure), loading: false });
            });
        return () => abort.abort();
    }, [pgn, JSON.stringify(query), most]);
    return games;
}
