// The title of the window: what the view shows (a game, a player, an opening), the view, and the
// databases.
import { useEffect } from "preact/hooks";

let subject = "";
let frame: (string | undefined)[] = [];

function write(): void {
    document.title = [subject, ...frame].filter(Boolean).join(" – ");
}

export function frameTitle(view: string, databases: string | undefined): void {
    frame = [view, databases ?? "fendex"];
    write();
}

// Names what the view shows, as long as the component is there.
export function useTitle(name: string | null | undefined): void {
    useEffect(() => {
        subject = name ?? "";
        write();
        return () => {
            subject = "";
            write();
        };
    }, [name]);
}
