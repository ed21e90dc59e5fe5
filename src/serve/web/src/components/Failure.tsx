// What went wrong with a call, in words; with a button if another attempt may help.
import type { ApiError } from "../api";
import { t } from "../i18n";

export function failureText(error: ApiError): string {
    if (error.status === 0) return t("unreachable");
    if (error.status === 503) return t("busy");
    return error.message;
}

export function Failure(props: { error: ApiError | undefined; again?: () => void }) {
    const { error, again } = props;
    if (!error) return null;
    // 501: a cluster does not answer this, however often it is asked.
    const passing = error.status === 0 || (error.status >= 500 && error.status !== 501);
    return (
        <p class="failure" role="alert">
            {failureText(error)}{" "}
            {passing && again && (
                <button type="button" onClick={again}>
                    {t("retry")}
                </button>
            )}
        </p>
    );
}
