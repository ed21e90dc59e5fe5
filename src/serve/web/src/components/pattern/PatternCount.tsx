// Counts all hits, on request: that takes longer than the first page.
import { useState } from "preact/hooks";
import { ApiError, call, type Query } from "../../api";
import { t } from "../../i18n";
import type { HitCount } from "../../types";
import { Failure } from "../Failure";

export function PatternCount({ query }: { query: Query }) {
    const [text, setText] = useState<string>();
    const [error, setError] = useState<ApiError>();
    async function run(): Promise<void> {
        setText(t("counting"));
        try {
            const found = await call<HitCount>("find", [...query, ["count", true]]);
            setText(t("patternCount", { games: found.games, positions: found.occurrences }));
        } catch (failure) {
            setText(undefined);
            if (failure instanceof ApiError) setError(failure);
        }
    }
    return (
        <div class="pattern-count">
            <p role="status">{text}</p>
            {text === undefined && (
                <button type="button" class="link" onClick={() => void run()}>
                    {t("countAll")}
                </button>
            )}
            <Failure error={error} />
        </div>
    );
}
