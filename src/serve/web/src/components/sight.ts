// Keeps an element visible when the user chooses from a list: on a phone the board is above it.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

// Scrolls to the element when `what` changes, unless its beginning is visible.
export function useInSight<T extends HTMLElement>(what: unknown): RefObject<T> {
    const element = useRef<T>(null);
    useEffect(() => {
        const top = element.current?.getBoundingClientRect().top ?? 0;
        if (top < 0 || top > innerHeight / 2) element.current?.scrollIntoView({ block: "start" });
    }, [what]);
    return element;
}
