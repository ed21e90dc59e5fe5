// A list that grows page by page when the user requests more.
import { useEffect, useState } from "preact/hooks";
import { asApiError, call, url, type ApiError, type Query } from "../api";
import type { Page } from "../types";

export interface Pages<T> {
    items: readonly T[];
    error: ApiError | undefined;
    loading: boolean;
    again: () => void; // calls once more, after an error
    more: (() => void) | null; // null: there are no more
}

interface State<T> {
    address: string | null;
    items: readonly T[];
    next: string | null;
    error: ApiError | undefined;
    loading: boolean;
}

// Calls the API whenever the address of the call changes. A path of null calls nothing.
export function usePages<T>(path: string | null, query: Query, limit = 40): Pages<T> {
    const address = path === null ? null : url(path, query);
    const empty: State<T> = { address, items: [], next: null, error: undefined, loading: address !== null };
    const [state, setState] = useState<State<T>>(empty);
    const [wanted, want] = useState<{ address: string | null; cursor: string | null }>({
        address,
        cursor: null,
    });
    const [attempt, setAttempt] = useState(0);
    const cursor = wanted.address === address ? wanted.cursor : null;

    useEffect(() => {
        if (path === null) return;
        const abort = new AbortController();
        setState((before) =>
            cursor === null ? empty : { ...before, loading: true, error: undefined },
        );
        call<Page<T>>(path, [...query, ["limit", limit], ["cursor", cursor]], {
            signal: abort.signal,
        }).then(
            (page) =>
                setState((before) => ({
                    address,
                    items: cursor === null ? page.items : [...before.items, ...page.items],
                    next: page.next,
                    error: undefined,
                    loading: false,
                })),
            (failure: unknown) => {
                if (abort.signal.aborted) return;
                const error = asApiError(failure);
                setState((before) => ({ ...before, address, error, loading: false }));
            },
        );
        return () => abort.abort();
    }, [address, cursor, attempt]);

    const shown = state.address === address ? state : empty;
    const next = shown.next;
    return {
        items: shown.items,
        error: shown.error,
        loading: shown.loading,
        again: () => setAttempt(attempt + 1),
        more: next === null ? null : () => want({ address, cursor: next }),
    };
}
