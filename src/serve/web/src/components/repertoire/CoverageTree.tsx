// The lines of a repertoire, coloured by how many of the opponents' moves they have.
import { percent, t } from "../../i18n";
import type { Changes } from "../../state";
import { coverOf, type CoveredMove, type CoveredTree } from "./coverage";
import { useRoving } from "../keys";
import type { Side } from "../squares";
import { resolve, type TreeMove } from "../tree";
import { Moves } from "../Variations";

interface Props {
    mine: Side; // whose lines they are
    shown: number; // the number of the position on the board
}

export function CoverageTrees({ trees, ...props }: Props & { trees: readonly CoveredTree[] }) {
    return (
        <>
            <p class="legend">{t("coverageLegend")}</p>
            {trees.map((covered) => (
                <CoverageTree key={covered.start.number} covered={covered} {...props} />
            ))}
        </>
    );
}

function linkTo(position: number): Changes {
    return { n: position === 1 ? null : position };
}

function CoverageTree({ covered, mine, shown }: Props & { covered: CoveredTree }) {
    const { tree, places } = covered;
    const list = useRoving<HTMLDivElement>("a:not(.way-in)", null);
    const rowAt = (place: string) =>
        (resolve(tree, place).move as CoveredMove | null)?.row ?? covered.start;
    // What the colour says is there in words, too.
    function mark(move: TreeMove) {
        const covered = move as CoveredMove;
        const cover = coverOf(covered, mine);
        if (cover === null) return null;
        const text =
            cover === "open" ? t("lineEnds") : percent(Math.floor(covered.row.covered!), 100);
        return <span class={`cover cover-${cover}`}>{text}</span>;
    }
    return (
        <div ref={list} class="line coverage" role="group" aria-label={t("repertoireLines")}>
            <Moves
                branch={tree}
                before={tree.fen}
                place=""
                depth={0}
                shown={places.get(shown) ?? ""}
                link={(place) => linkTo(rowAt(place).number)}
                mark={mark}
            />
        </div>
    );
}
