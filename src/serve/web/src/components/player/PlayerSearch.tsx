// The fields that say which player, and which of the player's games.
import type { ComponentChildren } from "preact";
import { t } from "../../i18n";
import { go } from "../../state";
import { Field } from "../Field";
import { FilterChips } from "../FilterChips";
import { PlayerInput } from "../filters/PlayerInput";

export function PlayerSearch(props: { name: string; children?: ComponentChildren }) {
    return (
        <div class="card player-search">
            <Field label={t("findPlayer")}>
                <PlayerInput value={props.name} onChange={(to) => go({ name: to.trim() })} />
            </Field>
            {props.children}
            {props.name && <FilterChips hide={["player", "white", "black"]} />}
        </div>
    );
}

// Names that the server does not take for one player: the reader chooses among those that fit.
export function isUnknown(status: number | undefined): boolean {
    return status !== undefined && [300, 400, 404, 409].includes(status);
}
