// The end of a list that grows: a sign that it is loading, an error, or a button for more.
import { t, type Word } from "../i18n";
import { Failure } from "./Failure";
import type { Pages } from "./pages";

export function MorePages(props: { pages: Pages<unknown>; empty: Word; busy?: Word }) {
    const { pages } = props;
    if (pages.error) return <Failure error={pages.error} again={pages.again} />;
    if (pages.loading)
        return (
            <p class="quiet" role="status">
                {t(props.busy ?? "loading")}
            </p>
        );
    if (pages.items.length === 0) return <p role="status">{t(props.empty)}</p>;
    if (!pages.more) return null;
    return (
        <p class="buttons">
            <button type="button" onClick={pages.more}>
                {t("loadMore")}
            </button>
        </p>
    );
}
