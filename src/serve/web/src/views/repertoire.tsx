// A repertoire: its lines as a tree, coloured by how many of the opponents' moves they have, and the
// moves that they do not have. The file stays in the browser; the server keeps nothing of it.
import type { Query } from "../api";
import { Drop } from "../components/Drop";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { useKeys } from "../components/keys";
import { PgnInput } from "../components/PgnInput";
import { ColorField } from "../components/repertoire/ColorField";
import { treesOf } from "../components/repertoire/coverage";
import { useCoverage } from "../components/repertoire/coverage-answers";
import { CoverageTrees } from "../components/repertoire/CoverageTree";
import { GapTable } from "../components/repertoire/GapTable";
import { LeftGames } from "../components/repertoire/LeftGames";
import { LinesBoard } from "../components/repertoire/LinesBoard";
import { t } from "../i18n";
import { conditions, go } from "../state";
import type { View } from "./view";

const Repertoire: View = ({ address }) => {
    const { params } = address;
    const color = params.get("color") === "black" ? "black" : "white";
    const query: Query = [["color", color], ...conditions(params)];
    const answers = useCoverage(query);
    const { pgn, error, loading } = answers;
    const { positions, gaps } = answers.found;
    const trees = treesOf(positions);
    const shown = positions[Number(params.get("n") ?? 1) - 1];
    const flipped = (color === "black") !== params.has("flip");
    useKeys({ f: () => go({ flip: !params.has("flip") }, "replace") });

    function take(file: Blob): void {
        answers.take(file);
        go({ n: null }, "replace");
    }

    return (
        <Drop onFile={take}>
            <div class={`beside ${shown ? "has-board" : ""}`} aria-busy={loading}>
                <div class="beside-list">
                    <div class="card">
                        <h1 class="hidden">{t("repertoire")}</h1>
                        <div class={pgn === null ? "" : "novelty-top"}>
                            <PgnInput
                                pgn={pgn}
                                intro="repertoireIntro"
                                submit="compareLines"
                                onFile={take}
                            />
                            <ColorField color={color} />
                            <FilterChips hide={["white", "black"]} />
                        </div>
                        <Failure error={error} />
                        {loading && trees.length === 0 && (
                            <p class="quiet" role="status">
                                {t("searching")}
                            </p>
                        )}
                        {trees.length > 0 && (
                            <CoverageTrees trees={trees} mine={color} shown={shown?.number ?? 1} />
                        )}
                    </div>
                    {pgn && trees.length > 0 && (
                        <>
                            <GapTable gaps={gaps} positions={positions} />
                            <LeftGames pgn={pgn} query={query} />
                        </>
                    )}
                </div>
                {shown && (
                    <div class="beside-board card">
                        <LinesBoard row={shown} gaps={gaps} flipped={flipped} />
                    </div>
                )}
            </div>
        </Drop>
    );
};
export default Repertoire;
