// The games of a file with their new moves.
import { t } from "../../i18n";
import { href } from "../../state";
import type { NoveltyRow } from "../../types";
import { GameCells } from "../GameCells";
import { useRoving } from "../keys";
import { numberedMove } from "../moves";

export function NoveltyList({ rows: games, at }: { rows: readonly NoveltyRow[]; at: number }) {
    const list = useRoving<HTMLOListElement>("a");
    if (games.length === 0) return null;
    return (
        <ol ref={list} class="game-list novelty-list" aria-label={t("noveltyGames")}>
            {games.map((row, index) => (
                <li key={row.game}>
                    <a
                        href={href({ n: index === 0 ? null : index + 1 })}
                        aria-current={index + 1 === at ? "true" : undefined}
                    >
                        <GameCells game={row} />
                        <span class="new-move">
                            {row.novelty ? numberedMove(row.novelty.ply, row.novelty.san) : "–"}
                        </span>
                    </a>
                </li>
            ))}
        </ol>
    );
}
