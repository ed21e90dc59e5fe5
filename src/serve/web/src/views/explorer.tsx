// The opening explorer: the board, the line, the moves played, and games.
import { useState } from "preact/hooks";
import { url, type Query } from "../api";
import type { Arrow } from "../components/board-drawing";
import { useSides } from "../components/Databases";
import { Evaluation, useEvaluations } from "../components/Evaluation";
import { ExplorerBoard } from "../components/ExplorerBoard";
import { Failure } from "../components/Failure";
import { FilterChips } from "../components/FilterChips";
import { useTree } from "../components/kept-trees";
import { LineTree } from "../components/LineTree";
import { TreeTools } from "../components/TreeTools";
import { GamesFromHere } from "../components/GamesFromHere";
import { useLine } from "../components/line";
import { OpeningHead } from "../components/OpeningHead";
import { PlayedMoves, type Point } from "../components/PlayedMoves";
import { QuickFilters } from "../components/QuickFilters";
import { endsOf } from "../components/squares";
import { t } from "../i18n";
import { filters } from "../state";
import { useTitle } from "../title";
import type { View } from "./view";

const Explorer: View = ({ address }) => {
    const { params } = address;
    const line = useLine(params);
    const work = useTree(line);
    const [arrow, setArrow] = useState<Arrow | null>(null);
    const [settingUp, setSettingUp] = useState(false);
    const set = filters(params);
    const asked: Query = [...line.base, ["play", line.play.slice(0, line.at).join(",")], ...set];
    const sides = useSides(params, asked);
    useTitle(line.opening && `${line.opening.eco} ${line.opening.name}`);
    const evaluations = useEvaluations(line);
    const point: Point = (uci) => {
        if (!uci) return setArrow(null);
        const { from, to } = endsOf(uci);
        setArrow({ from: from ?? to, to, kind: "hint" });
    };
    return (
        <div class={`explorer ${settingUp ? "setting-up" : ""}`}>
            <h1 class="hidden">{t("explorer")}</h1>
            <ExplorerBoard
                line={line}
                work={work}
                flipped={params.has("flip")}
                arrow={arrow}
                score={evaluations?.pvs[0] ?? null}
                onLeave={() => setArrow(null)}
                settingUp={settingUp}
                onSetUp={setSettingUp}
            />
            <section class="tree-side card" aria-label={t("results")}>
                <OpeningHead line={line} />
                <LineTree work={work} />
                <TreeTools
                    key={work.tree.name}
                    work={work}
                    fen={line.fen}
                    standard={!line.base.some(([key, value]) => key === "fen" && value !== "")}
                    orientation={params.has("flip") ? "black" : "white"}
                />
                <QuickFilters />
                <FilterChips />
                <Failure
                    error={line.error ?? sides.find(({ tree }) => tree.error)?.tree.error}
                    again={() => {
                        line.again();
                        for (const { tree } of sides) tree.again();
                    }}
                />
                <Evaluation line={line} known={evaluations} />
                <div class="side-by-side">
                    {sides.map(({ name, tree, query }) => (
                        <section key={name} aria-label={name}>
                            {name && <h3>{name}</h3>}
                            <PlayedMoves
                                line={line}
                                tree={tree}
                                pgn={url("tree.pgn", query)}
                                filtered={set.length > 0}
                                onPoint={point}
                            />
                        </section>
                    ))}
                </div>
            </section>
            <section class="games-side" aria-label={t("games")}>
                <GamesFromHere sides={sides} line={line} onPoint={point} />
            </section>
        </div>
    );
};
export default Explorer;
