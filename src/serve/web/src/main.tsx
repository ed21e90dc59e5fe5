// The shell: navigation, the switches for language and colours, and the view of the address.
import "./theme/index.css";
import { render } from "preact";
import { lazyView } from "./components/lazy";
import { Header } from "./components/Header";
import { usePieceSet } from "./components/piece-set";
import { t, useLanguage } from "./i18n";
import { followLinks, useAddress, type ViewName } from "./state";
import { startTheme } from "./theme";
import { startBoardTheme } from "./theme/board-theme";
import type { View } from "./views/view";

const views: Record<ViewName, View> = {
    explorer: lazyView(() => import("./views/explorer")),
    games: lazyView(() => import("./views/games")),
    repetitions: lazyView(() => import("./views/repetitions")),
    patterns: lazyView(() => import("./views/patterns")),
    player: lazyView(() => import("./views/player")),
    prepare: lazyView(() => import("./views/prepare")),
    novelty: lazyView(() => import("./views/novelty")),
    repertoire: lazyView(() => import("./views/repertoire")),
};

function Page() {
    const address = useAddress();
    const language = useLanguage();
    const pieces = usePieceSet();
    const Current = views[address.view];
    return (
        <div key={`${language} ${pieces}`} class="page">
            <a class="skip" href="#content">
                {t("skip")}
            </a>
            <Header address={address} />
            <main id="content" tabIndex={-1} class={`view view-${address.view}`}>
                <Current address={address} />
            </main>
            <footer class="foot">
                <a href="api/openapi.json">{t("apiLink")}</a>
                <a href={LICENCES_URL}>{t("licences")}</a>
                <span>{t("pieceCredit")}</span>
            </footer>
        </div>
    );
}

startTheme();
startBoardTheme();
followLinks();
render(<Page />, document.getElementById("app")!);
