// The positions that games repeated, one a line.
import { t } from "../i18n";
import { href } from "../state";
import type { Repetition } from "../types";
import { GameCells } from "./GameCells";
import { useRoving } from "./keys";

export function RepetitionList({
    rows,
    chosen,
}: {
    rows: readonly Repetition[];
    chosen?: Repetition;
}) {
    const list = useRoving<HTMLOListElement>("a");
    return (
        <ol ref={list} class="game-list repeat-list" aria-label={t("repetitionsLabel")}>
            {rows.map((row) => (
                <li key={`${row.ref} ${row.key}`}>
                    <a
                        href={href({ game: row.ref, key: row.key, ply: row.plies[0] })}
                        aria-current={row === chosen ? "true" : undefined}
                    >
                        <GameCells game={row} />
                        <span class="times">{t("repeatedTimes", { n: row.count })}</span>
                    </a>
                </li>
            ))}
        </ol>
    );
}
