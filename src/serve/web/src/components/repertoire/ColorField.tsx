// The colour whose moves the lines are.
import { t } from "../../i18n";
import { go } from "../../state";
import type { Side } from "../squares";

export function ColorField({ color }: { color: Side }) {
    return (
        <label class="field color-field">
            <span>{t("myColour")}</span>
            <select
                value={color}
                onChange={(event) => {
                    const chosen = event.currentTarget.value;
                    go({ color: chosen === "black" ? chosen : null, n: null }, "replace");
                }}
            >
                <option value="white">{t("white")}</option>
                <option value="black">{t("black")}</option>
            </select>
        </label>
    );
}
