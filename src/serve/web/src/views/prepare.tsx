// Preparing for a game against a player: what is played with a colour, and where the results are worst.
import { useApi } from "../api";
import { Failure } from "../components/Failure";
import { PlayerNames } from "../components/player/PlayerNames";
import { isUnknown, PlayerSearch } from "../components/player/PlayerSearch";
import { Preparing } from "../components/prepare/Preparing";
import { t } from "../i18n";
import { conditions } from "../state";
import { useTitle } from "../title";
import type { Preparation } from "../types";
import type { View } from "./view";

const Prepare: View = ({ address: { params } }) => {
    const name = params.get("name") ?? "";
    const color = params.get("color") === "black" ? "black" : "white";
    const { data, error, loading, again } = useApi<Preparation>(
        name ? `players/${encodeURIComponent(name)}/prepare` : null,
        [["color", color], ...conditions(params)],
    );
    useTitle(name);
    const unknown = isUnknown(error?.status);
    return (
        <>
            <h1 class="hidden">{t("prepare")}</h1>
            <PlayerSearch name={name} />
            {name === "" || unknown ? (
                <PlayerNames like={name} />
            ) : (
                <>
                    <Failure error={error} again={again} />
                    {data && <Preparing preparation={data} stale={loading} />}
                    {!data && loading && <p class="quiet">{t("loading")}</p>}
                </>
            )}
        </>
    );
};
export default Prepare;
