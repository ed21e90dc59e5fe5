// The top of the page: name, views, size of the database, settings.
import { useApi } from "../api";
import { t } from "../i18n";
import { href, kViewNames, type Address } from "../state";
import { frameTitle } from "../title";
import type { Stats } from "../types";
import { useEffect } from "preact/hooks";
import { Databases, shortNames } from "./Databases";
import { SettingsMenu } from "./SettingsMenu";

export function Header({ address }: { address: Address }) {
    const stats = useApi<Stats>("stats").data;
    const names = shortNames(stats?.databases.map(({ name }) => name) ?? []);
    // On a phone the views do not all fit into the line, less so when it is turned.
    useEffect(() => {
        const show = () => {
            const link = document.querySelector(".tabs [aria-current]");
            link?.scrollIntoView?.({ block: "nearest", inline: "center" });
        };
        show();
        addEventListener("resize", show);
        return () => removeEventListener("resize", show);
    }, [address.view]);
    useEffect(() => {
        frameTitle(t(address.view), names.join(" + ") || undefined);
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
                    <span class="size" title={names.join(" + ")}>
                        {t("databaseSize", { games: stats.games, plies: stats.plies })}
                    </span>
                )}
                <Databases names={names} address={address} />
                <SettingsMenu />
            </div>
        </header>
    );
}
