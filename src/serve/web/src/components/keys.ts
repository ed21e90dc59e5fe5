// Keys for the whole view, and arrow keys inside lists.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

// Elements that need keys for themselves. A checkbox needs none but the blank.
const kOwnKeys =
    "input:not([type=checkbox]), select, textarea, [role=application], [role=dialog]";

// Calls the handler of a key, unless an element of the page handles the key itself.
export function useKeys(handlers: Record<string, () => void>): void {
    const latest = useRef(handlers);
    latest.current = handlers;
    useEffect(() => {
        const listener = (event: KeyboardEvent) => {
            if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
            const target = event.target as Element | null;
            if (target?.closest(kOwnKeys)) return;
            const handler = latest.current[event.key];
            if (!handler) return;
            event.preventDefault();
            handler();
        };
        addEventListener("keydown", listener);
        return () => removeEventListener("keydown", listener);
    }, []);
}

// Makes a list a single stop of the Tab key: the arrow keys move between the elements that match
// `selector`. Elements may come and go. If `keys` is null, the view's own keys move along the list,
// and the focus follows the current element.
export function useRoving<T extends HTMLElement>(
    selector: string,
    keys: { back: string; on: string } | null = { back: "ArrowUp", on: "ArrowDown" },
): RefObject<T> {
    const list = useRef<T>(null);
    useEffect(() => {
        const items = [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
        const marked = items.filter((item) => item.getAttribute("aria-current"));
        const focused = items.find((item) => item === document.activeElement);
        if (keys === null && focused && marked[0] && focused !== marked[0]) marked[0].focus();
        const active = keys === null ? marked[0] : (focused ?? marked[0]);
        for (const item of items) item.tabIndex = item === (active ?? items[0]) ? 0 : -1;
    });
    useEffect(() => {
        const root = list.current;
        if (!root || keys === null) return;
        const listener = (event: KeyboardEvent) => {
            const items = [...root.querySelectorAll<HTMLElement>(selector)];
            const at = items.indexOf(document.activeElement as HTMLElement);
            if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
            const to = { [keys.back]: at - 1, [keys.on]: at + 1, Home: 0, End: items.length - 1 }[
                event.key
            ];
            if (to === undefined) return;
            event.preventDefault();
            const next = items[to];
            if (!next) return;
            for (const item of items) item.tabIndex = item === next ? 0 : -1;
            next.focus();
        };
        root.addEventListener("keydown", listener);
        return () => root.removeEventListener("keydown", listener);
    }, []);
    return list;
}
