// Keeps what a choice shows in sight: on a phone the board is above the list.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

// Scrolls to the element when `what` changes, unless its beginning is in sight.
export function useInSight<T extends HTMLElement>(what: unknown): RefObject<T> {
    const element = useRef<T>(null);
    useEffect(() => {
        const top = element.current?.getBoundingClientRect().top ?? 0;
        if (top < 0 || top > innerHeight / 2) element.current?.scrollIntoView({ block: "start" });
    }, [what]);
    return element;
}
