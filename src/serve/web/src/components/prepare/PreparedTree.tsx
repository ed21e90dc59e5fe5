// The moves that a player plays with a colour, as a tree.
import { useState } from "preact/hooks";
import { number, percent, t } from "../../i18n";
import type { Changes } from "../../state";
import type { PreparedMove } from "../../types";
import { Fold } from "../Fold";
import { exploreLine, lineOf, numberedMove } from "../moves";
import { ResultsBar, scoreText } from "../ResultsBar";
import { treeOf, type Node } from "./prepared-tree";

const kUnfolded = 2;

export function PreparedTree({ rows, theirs }: { rows: readonly PreparedMove[]; theirs: Changes }) {
    return (
        <section class="card repertoire">
            <h3>{t("whatIsPlayed")}</h3>
            <p class="quiet">{t("weightsExplained")}</p>
            <Branches nodes={treeOf(rows)} theirs={theirs} />
        </section>
    );
}

function Branches({ nodes, theirs }: { nodes: readonly Node[]; theirs: Changes }) {
    return (
        <ul class="branches">
            {nodes.map((node) => (
                <Branch key={node.row.san} node={node} theirs={theirs} />
            ))}
        </ul>
    );
}

function Branch({ node, theirs }: { node: Node; theirs: Changes }) {
    const { row } = node;
    const [open, setOpen] = useState(row.depth < kUnfolded);
    const move = numberedMove(row.depth + 1, row.san);
    return (
        <li>
            <div class={`branch ${row.own ? "own" : ""}`}>
                {node.below.length > 0 ? (
                    <Fold open={open} label={t("unfold", { move })} onToggle={setOpen} />
                ) : (
                    <span class="fold" />
                )}
                <button
                    type="button"
                    class="link move"
                    title={t("openInExplorer")}
                    onClick={() => void exploreLine(lineOf(node.sans), theirs)}
                >
                    {move}
                </button>
                <span class="share" title={`${number(row.games)} ${t("gamesColumn")}`}>
                    {percent(row.share, 100)}
                </span>
                <ResultsBar results={row} />
                <span class="score">{scoreText(row.score)}</span>
                <span class="opening">{row.opening && `${row.eco} ${row.opening}`}</span>
            </div>
            {open && node.below.length > 0 && <Branches nodes={node.below} theirs={theirs} />}
        </li>
    );
}
