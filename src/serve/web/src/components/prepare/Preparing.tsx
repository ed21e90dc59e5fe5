// What a player plays with a colour, and where the results are worst.
import { count, t } from "../../i18n";
import { href, type Changes } from "../../state";
import type { Preparation } from "../../types";
import { AlikeNames } from "../AlikeNames";
import { PreparedTree } from "./PreparedTree";
import { WeakSpots } from "./WeakSpots";

export function Preparing(props: { preparation: Preparation; stale: boolean }) {
    const { preparation } = props;
    const { color } = preparation;
    const name = preparation.names[0]!;
    // The explorer shows this player's games only.
    const theirs: Changes = { [color]: name };
    return (
        <div class="player-report" aria-busy={props.stale}>
            <header class="card player-head preparing-head">
                <h2>{t("prepareWith", { name })}</h2>
                <ul class="switch">
                    {(["white", "black"] as const).map((side) => (
                        <li key={side}>
                            <a
                                href={href({ color: side === "white" ? null : side })}
                                aria-current={side === color ? "true" : undefined}
                            >
                                {t(side === "white" ? "withWhite" : "withBlack", { name })}
                            </a>
                        </li>
                    ))}
                </ul>
                <p>
                    {count(preparation.games, "oneGame", "manyGames")} ·{" "}
                    <a href={href({ view: "player" })}>{t("allFigures")}</a>
                </p>
                <AlikeNames names={preparation.alike} />
            </header>
            <div class="preparing-pair">
                <PreparedTree key={color} rows={preparation.repertoire} theirs={theirs} />
                <WeakSpots key={`weak ${color}`} preparation={preparation} theirs={theirs} />
            </div>
        </div>
    );
}
