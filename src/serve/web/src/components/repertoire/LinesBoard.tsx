// A position of the lines on the board, and what games played there that the lines do not have.
import { count, number, percent, t } from "../../i18n";
import { href } from "../../state";
import type { RepertoireGap, RepertoirePosition } from "../../types";
import { Board } from "../Board";
import { LineText } from "../LineText";
import { sanText } from "../squares";

interface Props {
    row: RepertoirePosition;
    gaps: readonly RepertoireGap[];
    flipped: boolean;
}

export function LinesBoard({ row, gaps, flipped }: Props) {
    const here = gaps.filter(({ fen }) => fen === row.fen);
    return (
        <section class="game-board" aria-label={t("positionOfLines")}>
            <header>
                <h2>{row.line ? <LineText line={row.line} /> : t("startHeading")}</h2>
            </header>
            <Board fen={row.fen} orientation={flipped ? "black" : "white"} />
            <p>
                {count(row.games, "reachedByOne", "reachedByMany")}{" "}
                {t("likely", { share: percent(row.share, 100, 1) })}{" "}
                {row.covered !== null && t("coveredHere", { share: percent(row.covered, 100) })}
            </p>
            {here.length > 0 && (
                <p>
                    {t("missingHere")}{" "}
                    {here.map(({ san, games }) => `${sanText(san)} (${number(games)})`).join(", ")}
                </p>
            )}
            <p class="ways">
                <a href={href({ view: "explorer", fen: row.fen, play: null, at: null })}>
                    {t("openInExplorer")}
                </a>
            </p>
        </section>
    );
}
