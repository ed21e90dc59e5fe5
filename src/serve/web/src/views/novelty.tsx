// Shows where each game of a PGN file left the games of the database.
import { rows, type Query } from "../api";
import { Drop } from "../components/Drop";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { piecesOf } from "../components/game-files";
import { useKeys } from "../components/keys";
import { NoveltyBoard } from "../components/novelty/NoveltyBoard";
import { NoveltyList } from "../components/novelty/NoveltyList";
import { usePgnAnswers } from "../components/pgn-answers";
import { PgnInput } from "../components/PgnInput";
import { count, t } from "../i18n";
import { conditions, go } from "../state";
import { useTitle } from "../title";
import type { NoveltyRow } from "../types";
import type { View } from "./view";

const kNone: readonly NoveltyRow[] = [];

function useNovelties(query: Query) {
    return usePgnAnswers({
        kept: "novelty.pgn",
        query,
        none: kNone,
        read: async (pgn, signal, show) => {
            const found: NoveltyRow[] = [];
            let shown = performance.now();
            for await (const piece of piecesOf(pgn)) {
                const before = found.length;
                const sent = {
                    method: "POST",
                    body: piece,
                    type: "application/x-chess-pgn",
                    signal,
                } as const;
                for await (const row of rows<NoveltyRow>("novelty", query, sent)) {
                    found.push({ ...row, game: before + row.game });
                    if (performance.now() - shown < 200) continue;
                    shown = performance.now();
                    show([...found]);
                }
            }
            return found.length > 0 ? found : null;
        },
    });
}

const Novelty: View = ({ address }) => {
    const { params } = address;
    const answers = useNovelties(conditions(params));
    const { pgn, found } = answers;
    const at = Number(params.get("n") ?? 1);
    const chosen = found[at - 1];
    useTitle(chosen && `${chosen.white ?? t("unknown")} – ${chosen.black ?? t("unknown")}`);

    function take(file: Blob): void {
        answers.take(file);
        go({ n: null }, "replace");
    }

    useKeys({
        f: () => go({ flip: !params.has("flip") }, "replace"),
    });

    return (
        <Drop onFile={take}>
            <div class={`beside ${chosen ? "has-board" : ""}`}>
                <div class="beside-list card">
                    <h1 class="hidden">{t("novelty")}</h1>
                    <div class={pgn === null ? "" : "novelty-top"}>
                        <PgnInput pgn={pgn} intro="noveltyIntro" submit="checkPgn" onFile={take} />
                        <FilterChips />
                    </div>
                    <Failure error={answers.error} />
                    {answers.loading && (
                        <p class="quiet" role="status">
                            {t("searching")}
                        </p>
                    )}
                    {pgn !== null && !answers.loading && !answers.error && (
                        <p role="status">
                            {found.length > 0
                                ? count(found.length, "oneGame", "manyGames")
                                : t(pgn.size === 0 ? "emptyFile" : "notPgn")}
                        </p>
                    )}
                    <NoveltyList rows={found} at={at} />
                </div>
                {chosen && (
                    <div class="beside-board card">
                        <NoveltyBoard row={chosen} flipped={params.has("flip")} />
                    </div>
                )}
            </div>
        </Drop>
    );
};
export default Novelty;
