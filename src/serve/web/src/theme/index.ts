// Light or dark: the setting of the system, or the user's choice.
import { useEffect, useState } from "preact/hooks";
import { keep, setting } from "../settings";

export type Theme = "system" | "light" | "dark";

function stored(): Theme {
    const theme = setting("theme");
    return theme === "light" || theme === "dark" ? theme : "system";
}

function apply(theme: Theme): void {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
}

export function startTheme(): void {
    apply(stored());
}

export function useTheme(): [Theme, (theme: Theme) => void] {
    const [theme, setTheme] = useState<Theme>(stored);
    return [
        theme,
        (next) => {
            keep("theme", next);
            apply(next);
            setTheme(next);
            dispatchEvent(new Event("themechange"));
        },
    ];
}

// Counts the changes of the colours, for what is drawn on a canvas, which CSS does not reach.
export function useColorChanges(): number {
    const [changes, setChanges] = useState(0);
    useEffect(() => {
        const count = () => setChanges((n) => n + 1);
        const scheme = matchMedia("(prefers-color-scheme: dark)");
        addEventListener("themechange", count);
        scheme.addEventListener("change", count);
        return () => {
            removeEventListener("themechange", count);
            scheme.removeEventListener("change", count);
        };
    }, []);
    return changes;
}
