// The user's choices, stored in the browser. If the browser forbids that, they last as long as the
// page.
const kept = new Map<string, string>();

export function setting(name: string): string | null {
    try {
        return localStorage.getItem(name) ?? kept.get(name) ?? null;
    } catch {
        return kept.get(name) ?? null;
    }
}

export function keep(name: string, value: string): void {
    kept.set(name, value);
    try {
        localStorage.setItem(name, value);
    } catch {
        // Kept for this page only.
    }
}
