// Events as a table; each leads to its games.
import { number, t, years } from "../i18n";
import { href } from "../state";
import type { EventRow } from "../types";
import { FiguresHead } from "./FiguresHead";
import { useRoving } from "./keys";

export function EventTable(props: { events: readonly EventRow[]; sort: string }) {
    const table = useRoving<HTMLTableElement>("a");
    return (
        <table ref={table} class="figures events" aria-label={t("eventsLabel")}>
            <FiguresHead
                name={t("event")}
                nameSort="name"
                sort={props.sort}
                columns={[
                    { text: t("gamesColumn"), sort: "games" },
                    { text: t("playersColumn"), wide: true, sort: "players" },
                    { text: t("rating"), wide: true, sort: "rating" },
                    { text: t("playerYears"), sort: "date" },
                ]}
            />
            <tbody>
                {props.events.map((row) => (
                    <tr key={row.event}>
                        <th scope="row">
                            <a
                                href={href({
                                    by: null,
                                    here: null,
                                    sort: null,
                                    cursor: null,
                                    event: `=${row.event}`,
                                })}
                            >
                                {row.event === "?" ? t("unknown") : row.event}
                            </a>
                        </th>
                        <td class="num">{number(row.games)}</td>
                        <td class="num wide">{number(row.players)}</td>
                        <td class="num wide">{row.average_rating}</td>
                        <td class="num">{years(row.first_year, row.last_year)}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}
