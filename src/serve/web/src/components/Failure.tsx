// Says in words why a call failed. If another attempt may help, it is made after a while by itself,
// and there is a button for it.
import { useEffect } from "preact/hooks";
import type { ApiError } from "../api";
import { currentLanguage, t } from "../i18n";
import { kErrors } from "../i18n/errors";
import { kFilters } from "../state";
import { labelOf } from "./filter-words";

// Milliseconds from an error to the next attempt.
const kPause = 3000;

function translated(error: ApiError): string | undefined {
    const words = kErrors[currentLanguage()];
    const detail = error.detail ?? (error.text ? "text" : "");
    const word = words?.[`${error.code}.${detail}`] ?? words?.[error.code];
    const filter = kFilters.find(({ name }) => name === error.field);
    return word
        ?.replace("{field}", filter ? labelOf(filter.name) : (error.field ?? ""))
        .replace("{text}", error.text ?? "")
        .replace("{message}", error.message);
}

export function failureText(error: ApiError): string {
    if (error.status === 0) return t("unreachable");
    if (error.status === 503) return t("busy");
    if (error.code === "game_not_here") return t("gameNotFound");
    if (error.code === "opening_not_here") return t("openingNotFound", { name: error.message });
    return translated(error) ?? error.message;
}

export function Failure(props: { error: ApiError | undefined; again?: () => void }) {
    const { error, again } = props;
    // 501: a cluster can never answer this.
    const passes =
        error !== undefined &&
        again !== undefined &&
        (error.status === 0 || (error.status >= 500 && error.status !== 501));
    useEffect(() => {
        if (!passes) return;
        const pause = setTimeout(again, kPause);
        addEventListener("online", again);
        return () => {
            clearTimeout(pause);
            removeEventListener("online", again);
        };
    }, [error, passes]);
    if (!error) return null;
    return (
        <p class="failure" role="alert">
            {failureText(error)} {passes && t("triesAgain")}{" "}
            {passes && (
                <button type="button" onClick={again}>
                    {t("retry")}
                </button>
            )}
        </p>
    );
}
