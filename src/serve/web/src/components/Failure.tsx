// What went wrong with a call, in words.
import type { ApiError } from "../api";
import { t } from "../i18n";

export function failureText(error: ApiError): string {
    if (error.status === 0) return t("unreachable");
    if (error.status === 503) return t("busy");
    return error.message;
}

export function Failure({ error }: { error: ApiError | undefined }) {
    if (!error) return null;
    return (
        <p class="failure" role="alert">
            {failureText(error)}
        </p>
    );
}
