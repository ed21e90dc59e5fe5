// A view whose code is loaded when it is first shown.
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import type { View } from "../views/view";

export function lazyView(load: () => Promise<{ default: View }>): View {
    let loaded: View | undefined;
    return function Lazy(props) {
        const [, redraw] = useState(0);
        const [failed, setFailed] = useState(false);
        useEffect(() => {
            let shown = true;
            if (!loaded)
                load().then(
                    (module) => {
                        loaded = module.default;
                        if (shown) redraw(1);
                    },
                    () => shown && setFailed(true),
                );
            return () => void (shown = false);
        }, []);
        if (failed) return <p role="alert">{t("unreachable")}</p>;
        const Loaded = loaded;
        return Loaded ? <Loaded {...props} /> : <p class="quiet">{t("loading")}</p>;
    };
}
