// A game on a board beside a list. Buttons jump to the plies that matter; arrow keys move by one.
import type { ComponentChildren } from "preact";
import { useApi } from "../api";
import { date, t } from "../i18n";
import { go, href, useAddress } from "../state";
import { useTitle } from "../title";
import type { Game } from "../types";
import { Board } from "./Board";
import { Failure } from "./Failure";
import { GameHeading } from "./GameCells";
import { resultText } from "./listed-game";
import { isPlayed, type PlayedGame } from "./game/played-game";
import { useKeys } from "./keys";
import { numberedMove } from "./moves";
import { Jumps } from "./Jumps";
import { JumpWalk } from "./JumpWalk";
import { useInSight } from "./sight";
import { endsOf } from "./squares";

export interface GameBoardProps {
    game: string; // its ref
    ply: number;
    jumps: readonly number[] | ((game: PlayedGame) => readonly number[]); // ascending
    title: string; // of the jumps
    children?: ComponentChildren; // text about the game
}

export function GameBoard(props: GameBoardProps) {
    const { params } = useAddress();
    const { data, error, again } = useApi<Game>(`games/${props.game}`);
    const found = data?.ref === props.game ? data : undefined;
    const game = found && isPlayed(found) ? found : undefined;
    useTitle(found && `${found.white} – ${found.black} ${resultText(found.result)}`);
    const section = useInSight<HTMLElement>(game && props.game);
    const last = game?.line.length ?? 0;
    const ply = Math.min(Math.max(props.ply, 0), last);
    const jumps = game ? (typeof props.jumps === "function" ? props.jumps(game) : props.jumps) : [];
    const flipped = params.get("flip") !== null;
    const step = (to: number | undefined) => {
        if (to !== undefined && to >= 0 && to <= last) go({ ply: to }, "replace");
    };
    const jumpBack = jumps.filter((one) => one < ply).pop();
    const jumpOn = jumps.find((one) => one > ply);
    const flip = () => go({ flip: !flipped }, "replace");
    useKeys({
        ArrowLeft: () => step(ply - 1),
        ArrowRight: () => step(ply + 1),
        ArrowUp: () => step(jumpBack),
        ArrowDown: () => step(jumpOn),
        f: flip,
    });
    if (error) return <Failure error={error} again={again} />;
    if (!game) return <p class="quiet">{t(found ? "notReplayed" : "loading")}</p>;

    const move = game.line[ply - 1];
    const fen = move?.fen ?? game.fen;
    return (
        <section ref={section} class="game-board" aria-label={t("openGame")}>
            <header>
                <GameHeading game={game} />
                <p class="quiet">
                    {[game.event !== "?" && game.event, date(game.date), game.eco]
                        .filter(Boolean)
                        .join(" · ")}
                </p>
            </header>
            <Board
                fen={fen}
                orientation={flipped ? "black" : "white"}
                lastMove={move ? endsOf(move.uci) : null}
            />
            <JumpWalk
                ply={ply}
                last={last}
                jumps={{ back: jumpBack, on: jumpOn }}
                move={move ? numberedMove(ply, move.san) : t("atStart")}
                onStep={step}
                onFlip={flip}
            />
            {jumps.length > 0 && <Jumps game={game} jumps={jumps} ply={ply} title={props.title} />}
            {props.children}
            <p class="ways">
                <a href={href({ view: "games", game: props.game, ply: ply || null })}>
                    {t("openGame")}
                </a>
                <a href={href({ view: "explorer", fen, play: null, at: null })}>
                    {t("openInExplorer")}
                </a>
            </p>
        </section>
    );
}
