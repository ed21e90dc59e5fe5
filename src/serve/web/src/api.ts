// The client of /api/v1. Addresses are relative, so that the page also works below a prefix.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Error as Refusal } from "./types";

export type Query = readonly (readonly [string, string | number | boolean | null | undefined])[];

export class ApiError extends Error {
    constructor(
        readonly status: number, // 0: the server did not answer
        readonly code: string,
        message: string,
        readonly field: string | null,
        readonly detail: string | null = null, // the part of the field that is wrong
        readonly text: string | null = null, // the word of it that is wrong
    ) {
        super(message);
    }
}

// Returns the failure of a call as an ApiError, also if its answer could not be read.
export function asApiError(failure: unknown): ApiError {
    return failure instanceof ApiError
        ? failure
        : new ApiError(0, "unreadable", String(failure), null);
}

export interface Options {
    signal?: AbortSignal;
    method?: "GET" | "POST";
    body?: BodyInit;
    type?: string; // of the body
}

// Returns the address of a call, which can also be a link or a download.
export function url(path: string, query: Query = []): string {
    const params = new URLSearchParams();
    for (const [key, value] of query)
        if (value !== null && value !== undefined && value !== "" && value !== false)
            params.append(key, String(value));
    const text = params.toString();
    return `api/v1/${path}${text ? `?${text}` : ""}`;
}

async function request(address: string, accept: string, options: Options): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(address, {
            method: options.method ?? "GET",
            body: options.body,
            signal: options.signal,
            headers: {
                Accept: accept,
                ...(options.body !== undefined && {
                    "Content-Type": options.type ?? "text/plain; charset=utf-8",
                }),
            },
        });
    } catch (failure) {
        if (options.signal?.aborted) throw failure;
        throw new ApiError(0, "unreachable", String(failure), null);
    }
    if (response.ok) return response;
    throw await refusalOf(response);
}

async function refusalOf(response: Response): Promise<ApiError> {
    const { status, statusText } = response;
    try {
        const { error } = (await response.json()) as Refusal;
        return new ApiError(
            status,
            error.code,
            error.message,
            error.field,
            error.detail,
            error.text,
        );
    } catch {
        // Not our error format: only the status is known.
        return new ApiError(status, `http_${status}`, statusText, null);
    }
}

// Returns one answer. Throws ApiError, or the exception of an aborted signal.
export async function call<T>(path: string, query: Query = [], options: Options = {}): Promise<T> {
    const response = await request(url(path, query), "application/json", options);
    return (await response.json()) as T;
}

// Returns the rows of a list, one by one as the server sends them. The call ends if nobody reads on.
export async function* rows<T>(
    path: string,
    query: Query = [],
    options: Options = {},
): AsyncGenerator<T> {
    const response = await request(url(path, query), "application/x-ndjson", options);
    if (!response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    try {
        for (;;) {
            const { value, done } = await reader.read();
            if (done) break;
            const lines = (rest + value).split("\n");
            rest = lines.pop() ?? "";
            for (const line of lines) if (line) yield JSON.parse(line) as T;
        }
        if (rest) yield JSON.parse(rest) as T;
    } finally {
        reader.cancel().catch(() => {}); // it has ended already
    }
}

export interface Answer<T> {
    data: T | undefined; // the newest answer; while loading, the previous one
    error: ApiError | undefined;
    loading: boolean;
    other: boolean; // data is the answer to the previous call, which had another address
    again: () => void; // calls once more, after an error
}

// Recent answers. They are shown at once while the call is repeated.
const kSeen = 200;
const seen = new Map<string, unknown>();

function remember(address: string, data: unknown): void {
    seen.delete(address);
    seen.set(address, data);
    if (seen.size > kSeen) seen.delete(seen.keys().next().value!);
}

// Calls the API whenever the address of the call changes, and aborts the previous call. A path of
// null calls nothing.
export function useApi<T>(path: string | null, query: Query = []): Answer<T> {
    const address = path === null ? null : url(path, query);
    const [answer, setAnswer] = useState<
        Omit<Answer<T>, "other" | "again"> & { address: string | null }
    >({
        address: null,
        data: undefined,
        error: undefined,
        loading: false,
    });
    const [attempt, setAttempt] = useState(0);
    const again = () => {
        setAnswer((before) => ({ ...before, address: null, error: undefined, loading: true }));
        setAttempt(attempt + 1);
    };
    const latest = useRef(address);
    latest.current = address;
    useEffect(() => {
        if (address === null || path === null) return;
        const abort = new AbortController();
        request(address, "application/json", { signal: abort.signal })
            .then((response) => response.json())
            .then((data: T) => {
                remember(address, data);
                if (latest.current === address)
                    setAnswer({ address, data, error: undefined, loading: false });
            })
            .catch((failure: unknown) => {
                if (abort.signal.aborted || latest.current !== address) return;
                const error = asApiError(failure);
                setAnswer({ address, data: undefined, error, loading: false });
            });
        return () => abort.abort();
    }, [address, attempt]);
    if (address === null)
        return { data: undefined, error: undefined, loading: false, other: false, again };
    if (answer.address === address) return { ...answer, other: false, again };
    const before = seen.get(address) as T | undefined;
    const data = before ?? answer.data;
    return { data, error: undefined, loading: true, other: before === undefined, again };
}
