// What the server says of the lines of a repertoire: the positions, and the replies that are missing.
import type { Query } from "../../api";
import type { RepertoireGap, RepertoirePosition } from "../../types";
import { usePgnAnswers } from "../pgn-answers";
import { postedRows } from "../posted-rows";

interface Coverage {
    positions: readonly RepertoirePosition[];
    gaps: readonly RepertoireGap[];
}
const kNone: Coverage = { positions: [], gaps: [] };

export function useCoverage(query: Query) {
    return usePgnAnswers({
        kept: "repertoire.pgn",
        query,
        none: kNone,
        read: async (pgn, signal) => {
            const [positions, gaps] = await Promise.all([
                postedRows<RepertoirePosition>("repertoire_coverage", query, pgn, signal),
                postedRows<RepertoireGap>("repertoire_gaps", query, pgn, signal),
            ]);
            return { positions, gaps };
        },
    });
}
