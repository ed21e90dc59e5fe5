// The settings of the page, in one menu: colours, language, board, pieces.
import { useEffect, useRef } from "preact/hooks";
import { currentLanguage, kLanguages, setLanguage, t, type Language } from "../i18n";
import { useTheme, type Theme } from "../theme";
import { kBoards, useBoardTheme, type BoardTheme } from "../theme/board-theme";
import { Icon } from "./Icon";
import { kPieceSets, setPieceSet, usePieceSet, type PieceSet } from "./piece-set";
import { Setting } from "./Setting";

export function SettingsMenu() {
    const menu = useMenu();
    const [theme, setTheme] = useTheme();
    const [board, setBoard] = useBoardTheme();
    const pieces = usePieceSet();
    return (
        <details ref={menu} class="menu">
            <summary class="button" title={t("settings")} aria-label={t("settings")}>
                <Icon name="settings" />
            </summary>
            <div class="card">
                <Setting<Theme>
                    icon="colours"
                    label={t("theme")}
                    value={theme}
                    choices={{
                        system: t("themeSystem"),
                        light: t("themeLight"),
                        dark: t("themeDark"),
                    }}
                    onChoose={setTheme}
                />
                <Setting<Language>
                    icon="language"
                    label={t("language")}
                    value={currentLanguage()}
                    choices={kLanguages}
                    onChoose={setLanguage}
                />
                <Setting<BoardTheme>
                    icon="board"
                    label={t("board")}
                    value={board}
                    choices={Object.fromEntries(
                        kBoards.map((one) => [one, t(`board_${one}` as const)]),
                    )}
                    onChoose={setBoard}
                />
                <Setting<PieceSet>
                    icon="pieces"
                    label={t("pieces")}
                    value={pieces}
                    choices={Object.fromEntries(
                        Object.keys(kPieceSets).map((one) => [
                            one,
                            t(`pieces_${one as PieceSet}` as const),
                        ]),
                    )}
                    onChoose={setPieceSet}
                />
            </div>
        </details>
    );
}

// Escape and a click elsewhere close the menu.
function useMenu() {
    const menu = useRef<HTMLDetailsElement>(null);
    useEffect(() => {
        const close = (event: Event) => {
            if (!menu.current?.open) return;
            if (event instanceof KeyboardEvent) {
                if (event.key !== "Escape") return;
                menu.current.querySelector("summary")?.focus();
            } else if (menu.current.contains(event.target as Node)) return;
            menu.current.open = false;
        };
        addEventListener("keydown", close);
        addEventListener("pointerdown", close);
        return () => {
            removeEventListener("keydown", close);
            removeEventListener("pointerdown", close);
        };
    }, []);
    return menu;
}
