// The replies that a repertoire does not have, the most likely first.
import { useState } from "preact/hooks";
import { number, percent, t } from "../../i18n";
import { href } from "../../state";
import type { RepertoireGap, RepertoirePosition } from "../../types";
import { FiguresHead } from "../FiguresHead";
import { moveNumber } from "../move-number";
import { LineText } from "../LineText";
import { sanText } from "../squares";

const kAtFirst = 20;

interface Props {
    gaps: readonly RepertoireGap[];
    positions: readonly RepertoirePosition[];
}

export function GapTable({ gaps, positions }: Props) {
    const [most, setMost] = useState(kAtFirst);
    if (gaps.length === 0) return <p class="card quiet">{t("noGaps")}</p>;
    const numbers = new Map(positions.map(({ fen, number: n }) => [fen, n]));
    return (
        <section class="card">
            <h2>{t("gaps")}</h2>
            <p class="quiet">{t("gapsExplained")}</p>
            <table class="figures">
                <FiguresHead
                    name={t("gapReply")}
                    columns={[{ text: t("gamesColumn") }, { text: t("likelyColumn") }]}
                />
                <tbody>
                    {gaps.slice(0, most).map((gap) => (
                        <tr key={`${gap.fen} ${gap.san}`}>
                            <th scope="row">
                                <a href={href({ n: numbers.get(gap.fen) ?? null })}>
                                    <LineText line={gap.line} />{" "}
                                    <strong>
                                        {moveNumber(gap.fen, true)}
                                        {sanText(gap.san)}
                                    </strong>
                                </a>
                            </th>
                            <td class="num">{number(gap.games)}</td>
                            <td class="num">{percent(gap.share, 100, 1)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {gaps.length > most && (
                <p class="buttons">
                    <button type="button" onClick={() => setMost(most + 100)}>
                        {t("loadMore")}
                    </button>
                </p>
            )}
        </section>
    );
}
