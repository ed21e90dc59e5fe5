// The players of a game and its result, as cells of a row and as a heading.
import { date, t } from "../i18n";
import { resultText, winner } from "./listed-game";

interface Paired {
    white: string | null;
    black: string | null;
    result: string | null;
    date: string | null;
}

export function GameCells({ game }: { game: Paired }) {
    return (
        <>
            <span class="name white">
                <span class="who">{game.white ?? t("unknown")}</span>
            </span>
            <span class={`result result-${winner(game.result)}`}>{resultText(game.result)}</span>
            <span class="name black">
                <span class="who">{game.black ?? t("unknown")}</span>
            </span>
            <span class="when">{date(game.date)}</span>
        </>
    );
}

export function GameHeading({ game }: { game: Paired }) {
    return (
        <h2>
            {game.white ?? t("unknown")} <span class="result">{resultText(game.result)}</span>{" "}
            {game.black ?? t("unknown")}
        </h2>
    );
}
