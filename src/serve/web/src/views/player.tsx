// A player: score by colour, rating, opponents, openings, and where the results are worst.
import { useApi, type Query } from "../api";
import { Failure } from "../components/Failure";
import { Field } from "../components/Field";
import { FilterChips } from "../components/FilterChips";
import { PlayerInput } from "../components/filters/PlayerInput";
import { PlayerNames } from "../components/player/PlayerNames";
import { PlayerReport } from "../components/player/PlayerReport";
import { t } from "../i18n";
import { filters, go } from "../state";
import { useTitle } from "../title";
import type { Player as Report } from "../types";
import type { View } from "./view";

const Player: View = ({ address }) => {
    const { params } = address;
    const name = params.get("name") ?? "";
    const against = params.get("against") ?? "";
    const filter = filters(params);
    const query: Query = against ? [["a", name], ["b", against], ...filter] : filter;
    const path = against ? "head-to-head" : `players/${encodeURIComponent(name)}`;
    const report = useApi<Report>(name ? path : null, query);
    useTitle(against ? t("headToHead", { a: name, b: against }) : name);
    const unknown =
        report.error !== undefined && [300, 400, 404, 409].includes(report.error.status);

    return (
        <>
            <h1 class="hidden">{t("player")}</h1>
            <div class="player-search">
                <Field label={t("findPlayer")}>
                    <PlayerInput value={name} onChange={(to) => go({ name: to.trim() })} />
                </Field>
                {name && (
                    <Field label={t("against")}>
                        <PlayerInput
                            value={against}
                            onChange={(to) => go({ against: to.trim() })}
                        />
                    </Field>
                )}
                {name && <FilterChips hide={["player", "white", "black"]} />}
            </div>
            {name === "" ? (
                <PlayerNames />
            ) : unknown ? (
                <>
                    {against && <Failure error={report.error} />}
                    <PlayerNames like={name} />
                </>
            ) : (
                <>
                    <Failure error={report.error} again={report.again} />
                    {!report.data && report.loading && <p class="quiet">{t("loading")}</p>}
                    {report.data && (
                        <PlayerReport
                            report={report.data}
                            name={name}
                            against={against}
                            stale={report.loading}
                        />
                    )}
                </>
            )}
        </>
    );
};
export default Player;
