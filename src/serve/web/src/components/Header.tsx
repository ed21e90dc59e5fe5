// The top of the page: name, views, size of the database, language and colours.
import { useApi } from "../api";
import { currentLanguage, kLanguages, setLanguage, t, type Language } from "../i18n";
import { href, kViewNames, type Address } from "../state";
import { frameTitle } from "../title";
import { useTheme, type Theme } from "../theme";
import type { Stats } from "../types";
import { useEffect } from "preact/hooks";

export function Header({ address }: { address: Address }) {
    const stats = useApi<Stats>("stats").data;
    const [theme, setTheme] = useTheme();
    const names = stats?.databases.map(({ name }) => name.replace(/^.*\//, "")).join(" + ");
    // On a phone the views do not all fit into the line.
    useEffect(() => {
        const link = document.querySelector(".tabs [aria-current]");
        link?.scrollIntoView?.({ block: "nearest", inline: "center" });
    }, [address.view]);
    useEffect(() => {
        frameTitle(t(address.view), names);
    });
    return (
        <header class="top">
            <a class="brand" href={href({ view: "explorer" })}>
                fendex
            </a>
            <nav aria-label={t("views")}>
                <ul class="tabs">
                    {kViewNames.map((view) => (
                        <li key={view}>
                            <a
                                href={href({ view })}
                                aria-current={view === address.view ? "page" : undefined}
                            >
                                {t(view)}
                            </a>
                        </li>
                    ))}
                </ul>
            </nav>
            <div class="settings">
                {stats && (
                    <span class="size" title={names}>
                        {t("databaseSize", { games: stats.games, plies: stats.plies })}
                    </span>
                )}
                <select
                    aria-label={t("theme")}
                    title={t("theme")}
                    value={theme}
                    onChange={(event) => setTheme(event.currentTarget.value as Theme)}
                >
                    <option value="system">{t("themeSystem")}</option>
                    <option value="light">{t("themeLight")}</option>
                    <option value="dark">{t("themeDark")}</option>
                </select>
                <select
                    aria-label={t("language")}
                    title={t("language")}
                    value={currentLanguage()}
                    onChange={(event) => setLanguage(event.currentTarget.value as Language)}
                >
                    {Object.entries(kLanguages).map(([code, name]) => (
                        <option key={code} value={code} lang={code}>
                            {name}
                        </option>
                    ))}
                </select>
            </div>
        </header>
    );
}
