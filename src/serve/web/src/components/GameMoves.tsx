// The moves of a game with comments, annotation signs and nested variations. Each move is a link
// to its position, whose place is written as in a tree of moves.
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { href } from "../state";
import { Comment, MainLine } from "./game/MainLine";
import type { PlayedGame } from "./game/played-game";
import { useRoving } from "./keys";

export function GameMoves({ game, place }: { game: PlayedGame; place: string }) {
    const list = useRoving<HTMLDivElement>("a:not(.way-in)", null);
    useEffect(() => {
        const shown = list.current?.querySelector("[aria-current]");
        const box = list.current;
        if (!(shown instanceof HTMLElement) || !box) return;
        // Only the list scrolls, not the page.
        const top = shown.offsetTop - box.clientHeight / 2;
        box.scrollTo({ top: Math.max(0, top) });
    }, [place, game]);
    const most = Math.max(1, game.line[0]?.reached ?? 1);
    return (
        <div ref={list} class="game-moves" role="group" aria-label={t("gameMoves")}>
            <p class="start-link">
                <a
                    href={href({ ply: 0, key: null })}
                    aria-current={place === "0" ? "step" : undefined}
                >
                    {t("gameStart")}
                </a>
                {typeof game.line[0]?.reached === "number" && <span>{t("reachedLegend")}</span>}
            </p>
            <Comment text={game.comment} />
            <MainLine game={game} place={place} most={most} />
        </div>
    );
}
