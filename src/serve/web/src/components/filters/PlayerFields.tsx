// Three fields: a player, a colour and an opponent. The API has `player` (which can be given
// twice), `white` and `black` for them.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { go, useAddress } from "../../state";
import { Field } from "../Field";
import { PlayerInput } from "./PlayerInput";

export function PlayerFields() {
    const { params } = useAddress();
    const [either = "", second = ""] = params.getAll("player");
    const white = params.get("white") ?? "";
    const black = params.get("black") ?? "";
    const stored = white ? "white" : black ? "black" : "";
    const [wanted, setWanted] = useState(stored);
    const colour = stored || (either ? "" : wanted);
    const name = colour === "white" ? white : colour === "black" ? black : either;
    const against = colour === "white" ? black : colour === "black" ? white : second;

    function set(toName: string, toColour: string, toAgainst: string): void {
        setWanted(toColour);
        const pair = [toName.trim(), toAgainst.trim()].filter((one) => one !== "");
        const changes =
            toColour === "white"
                ? { player: [], white: toName.trim(), black: toAgainst.trim() }
                : toColour === "black"
                  ? { player: [], white: toAgainst.trim(), black: toName.trim() }
                  : { player: pair, white: "", black: "" };
        go({ ...changes, cursor: null });
    }

    return (
        <div class="fields">
            <Field label={t("filterPlayer")}>
                <PlayerInput value={name} onChange={(value) => set(value, colour, against)} />
            </Field>
            <Field label={t("colour")}>
                <select
                    value={colour}
                    onChange={(event) => set(name, event.currentTarget.value, against)}
                >
                    <option value="">{t("eitherColour")}</option>
                    <option value="white">{t("white")}</option>
                    <option value="black">{t("black")}</option>
                </select>
            </Field>
            <Field label={t("against")}>
                <PlayerInput value={against} onChange={(value) => set(name, colour, value)} />
            </Field>
        </div>
    );
}
