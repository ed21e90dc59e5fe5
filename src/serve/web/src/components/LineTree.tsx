// The explorer's moves with variations.
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { Annotate } from "./Annotate";
import { linkIn, type TreeInWork } from "./kept-trees";
import { useRoving } from "./keys";
import { Moves } from "./Variations";

export function LineTree({ work }: { work: TreeInWork }) {
    const { tree, place } = work;
    const list = useRoving<HTMLDivElement>("a:not(.way-in)", null);
    useEffect(() => {
        // Only the list scrolls, not the page.
        const box = list.current;
        const shown = box?.querySelector<HTMLElement>("[aria-current]");
        if (box && shown) box.scrollTop = shown.offsetTop - box.clientHeight / 2;
    }, [place, tree]);
    return (
        <>
            <div ref={list} class="line" role="group" aria-label={t("line")}>
                {tree.line.length === 0 && <span class="quiet">{t("lineEmpty")}</span>}
                <Moves
                    branch={tree}
                    before={tree.fen}
                    place=""
                    depth={0}
                    shown={place}
                    link={(to) => linkIn(tree, to)}
                />
            </div>
            {tree.line.length > 0 && <Annotate key={place} work={work} />}
        </>
    );
}
