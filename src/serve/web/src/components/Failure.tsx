// Says in words why a call failed. Has a button if another attempt may help.
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
    // 501: a cluster can never answer this.
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
