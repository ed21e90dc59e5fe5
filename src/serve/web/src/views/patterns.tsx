// Finds positions by their look: a board with jokers, the number of each piece, the move that is
// played, and what comes later in the game.
import type { Query } from "../api";
import { FilterChips } from "../components/FilterChips";
import { GameBoard } from "../components/GameBoard";
import { GameList } from "../components/GameList";
import { MorePages } from "../components/MorePages";
import { usePages } from "../components/pages";
import { PatternCount } from "../components/pattern/PatternCount";
import { PatternExamples } from "../components/pattern/PatternExamples";
import { PatternForm } from "../components/pattern/PatternForm";
import { fieldsOf, isEmpty, sequenceOf, type Wanted } from "../components/pattern/steps";
import { t } from "../i18n";
import { conditions, go } from "../state";
import type { Hit } from "../types";
import type { View } from "./view";

function search({ sequence, either }: Wanted): void {
    go({ ...fieldsOf(sequence), either, game: null, ply: null });
}

const Patterns: View = ({ address: { params } }) => {
    const wanted: Wanted = { sequence: sequenceOf(params), either: params.get("either") === "1" };
    const asked = wanted.sequence.steps.some((step) => !isEmpty(step));
    const { then, ...fields } = fieldsOf(wanted.sequence);
    const query: Query = [
        ...Object.entries(fields),
        ...then.map((step) => ["then", step] as const),
        ["either-side", wanted.either],
        ...conditions(params),
    ];
    const pages = usePages<Hit>(asked ? "find" : null, query, 20);
    const game = params.get("game");
    const chosen = pages.items.find((row) => row.ref === game);
    return (
        <div class={`patterns ${game ? "has-board" : ""}`}>
            <div class="pattern-form">
                <h1 class="hidden">{t("patterns")}</h1>
                <PatternForm key={JSON.stringify(wanted)} wanted={wanted} onSearch={search} />
            </div>
            <div class="pattern-results card">
                <FilterChips />
                {!asked && (
                    <PatternExamples
                        onChoose={(sequence) => search({ sequence, either: false })}
                    />
                )}
                {asked && (
                    <>
                        <PatternCount key={JSON.stringify(query)} query={query} />
                        <GameList
                            games={pages.items}
                            label={t("patternResults")}
                            selected={game}
                            link={(row) => ({ game: row.ref, ply: row.ply })}
                        />
                        <MorePages pages={pages} empty="noPattern" busy="searching" />
                    </>
                )}
            </div>
            {game && (
                <div class="beside-board card">
                    <GameBoard
                        game={game}
                        ply={Number(params.get("ply") ?? 0)}
                        title={t(chosen?.steps ? "patternSteps" : "patternHits")}
                        jumps={chosen?.steps ?? chosen?.plies ?? []}
                    />
                </div>
            )}
        </div>
    );
};
export default Patterns;
