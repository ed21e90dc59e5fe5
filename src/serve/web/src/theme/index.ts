// Light or dark: the setting of the system, or the user's choice.
import { useState } from "preact/hooks";
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
            // Curves are drawn on a canvas, which CSS does not reach.
            dispatchEvent(new Event("themechange"));
        },
    ];
}
