// A player: score by colour, rating, opponents and openings.
import { useApi, type Query } from "../api";
import { Failure } from "../components/Failure";
import { Field } from "../components/Field";
import { PlayerInput } from "../components/filters/PlayerInput";
import { PlayerNames } from "../components/player/PlayerNames";
import { PlayerReport } from "../components/player/PlayerReport";
import { isUnknown, PlayerSearch } from "../components/player/PlayerSearch";
import { t } from "../i18n";
import { conditions, go } from "../state";
import { useTitle } from "../title";
import type { Player as Report } from "../types";
import type { View } from "./view";

const Player: View = ({ address }) => {
    const { params } = address;
    const name = params.get("name") ?? "";
    const against = params.get("against") ?? "";
    const filter = conditions(params);
    const query: Query = against ? [["a", name], ["b", against], ...filter] : filter;
    const path = against ? "head-to-head" : `players/${encodeURIComponent(name)}`;
    const report = useApi<Report>(name ? path : null, query);
    useTitle(against ? t("headToHead", { a: name, b: against }) : name);

    return (
        <>
            <h1 class="hidden">{t("player")}</h1>
            <PlayerSearch name={name}>
                {name && (
                    <Field label={t("against")}>
                        <PlayerInput
                            value={against}
                            onChange={(to) => go({ against: to.trim() })}
                        />
                    </Field>
                )}
            </PlayerSearch>
            {name === "" ? (
                <PlayerNames />
            ) : isUnknown(report.error?.status) ? (
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
