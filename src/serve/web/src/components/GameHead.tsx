// The names, the result and the tags of a game.
import { date, t } from "../i18n";
import type { Game } from "../types";
import { resultText } from "./listed-game";

export function GameHead({ game }: { game: Game }) {
    const known = (text: string | null) => (text && text !== "?" ? text : null);
    const site = known(game.site);
    const online = site !== null && /^https?:\/\/[^\s]+$/.test(site);
    const where = [known(game.event), online ? null : site, date(game.date)].filter(Boolean);
    return (
        <header class="game-head">
            <h2>
                {game.white} – {game.black} <span class="score">{resultText(game.result)}</span>
            </h2>
            <p class="quiet">
                {where.join(" · ")}
                {known(game.round) && ` (${game.round})`} {game.eco && <b>{game.eco}</b>}
                {game.variant !== "standard" && ` · ${game.variant}`}
                {game.database && ` · ${game.database.replace(/^.*\//, "")}`}
                {online && (
                    <>
                        {" · "}
                        <a href={site} rel="noreferrer">
                            {site.replace(/^https?:\/\//, "")}
                        </a>
                    </>
                )}
            </p>
            {game.errors?.map((error, index) => (
                <p class="failure" key={index}>
                    {t("errorsInGame", { reason: error.reason })}
                </p>
            ))}
            <details class="tags">
                <summary>{t("tags")}</summary>
                <dl>
                    {Object.entries(game.tags).map(([name, value]) => (
                        <div key={name}>
                            <dt>{name}</dt>
                            <dd>{value}</dd>
                        </div>
                    ))}
                </dl>
            </details>
        </header>
    );
}
