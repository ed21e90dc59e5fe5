// What the server says of a PGN file. The tab keeps the file for a reload.
import { useEffect, useState } from "preact/hooks";
import { asApiError, type ApiError, type Query } from "../api";
import { forgetText, keepText, keptText } from "./kept-text";

interface Answers<Found> {
    found: Found;
    error?: ApiError;
    loading: boolean;
}

interface PgnAnswers<Found> extends Answers<Found> {
    pgn: Blob | null;
    take: (pgn: Blob) => void; // another file
}

// Reads the answers for each file, and again when the query changes. `read` may show what it has so
// far, and returns null if the file has no games.
export function usePgnAnswers<Found>(props: {
    kept: string; // the name of the file in the tab
    query: Query;
    none: Found;
    read: (pgn: Blob, signal: AbortSignal, show: (part: Found) => void) => Promise<Found | null>;
}): PgnAnswers<Found> {
    const { kept, query, none, read } = props;
    const [pgn, setPgn] = useState(() => keptText(kept));
    const [answers, setAnswers] = useState<Answers<Found>>({ found: none, loading: pgn !== null });
    useEffect(() => {
        if (pgn === null) return;
        const abort = new AbortController();
        let latest = none;
        const show = (found: Found) => {
            latest = found;
            setAnswers({ found, loading: true });
        };
        setAnswers(({ found }) => ({ found, loading: true }));
        // It is kept before the first answer is shown, so that what can be seen survives a reload.
        keepText(kept, pgn)
            .then(() => read(pgn, abort.signal, show))
            .then((found) => {
                if (!found) forgetText(kept);
                setAnswers({ found: found ?? none, loading: false });
            })
            .catch((failure: unknown) => {
                if (abort.signal.aborted) return;
                const error = asApiError(failure);
                // A reload must not bring back a text that the server refuses. A reload also makes
                // the request fail, but without a status.
                if (error.status >= 400 && error.status < 500) forgetText(kept);
                setAnswers({ found: latest, error, loading: false });
            });
        return () => abort.abort();
    }, [pgn, JSON.stringify(query)]);
    const take = (file: Blob) => {
        setPgn(file);
        setAnswers({ found: none, loading: true });
    };
    return { ...answers, pgn, take };
}
