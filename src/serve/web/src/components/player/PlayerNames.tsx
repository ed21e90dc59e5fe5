// Players to choose from: those whose names begin with `like`, or those with the most games.
import { useState } from "preact/hooks";
import { useApi } from "../../api";
import { number, t, years } from "../../i18n";
import { href } from "../../state";
import type { Page, PlayerRow } from "../../types";
import { Failure } from "../Failure";
import { FiguresHead } from "../FiguresHead";
import { NameText } from "../NameText";

export function PlayerNames({ like }: { like?: string }) {
    const [limit, setLimit] = useState(20);
    const { data, error, loading, again } = useApi<Page<PlayerRow>>("players", [
        ["prefix", like],
        ["limit", limit],
    ]);
    if (error) return <Failure error={error} again={again} />;
    if (!data) return <p class="quiet">{t("loading")}</p>;
    if (data.items.length === 0) return <p>{t("noPlayer")}</p>;
    return (
        <section class="card player-names" aria-busy={loading}>
            <p class="quiet">{t(like ? "playersLike" : "playersIntro")}</p>
            <table class="figures">
                <FiguresHead
                    name={t("playerName")}
                    columns={[
                        { text: t("gamesColumn") },
                        { text: t("asWhite"), wide: true },
                        { text: t("asBlack"), wide: true },
                        { text: t("playerYears") },
                    ]}
                />
                <tbody>
                    {data.items.map((player) => (
                        <tr key={player.name}>
                            <th scope="row">
                                <a href={href({ name: player.name })}>
                                    <NameText name={player.name} />
                                </a>
                            </th>
                            <td class="num">{number(player.games)}</td>
                            <td class="num wide">{number(player.white)}</td>
                            <td class="num wide">{number(player.black)}</td>
                            <td class="num">{years(player.first_year, player.last_year)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {data.next && (
                <p class="buttons">
                    <button type="button" onClick={() => setLimit(limit * 3)}>
                        {t("loadMore")}
                    </button>
                </p>
            )}
        </section>
    );
}
