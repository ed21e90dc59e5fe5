// Evaluation and clocks of a game, as curves.
import { useMemo } from "preact/hooks";
import { number, t } from "../i18n";
import { Curve } from "./Curve";
import { centipawns, scoreText } from "./Evaluation";
import { clockText, scoreAfter, type PlayedGame } from "./game/played-game";
import { sanText } from "./squares";

export function GameCurves(props: { game: PlayedGame; at: number; onPick: (ply: number) => void }) {
    const { game, at } = props;
    const curves = useMemo(() => {
        const x = game.line.map((move) => move.ply);
        const scores = game.line.map((_, index) => scoreAfter(game, index));
        const evals = scores.map((score) => score && centipawns(score) / 100);
        const clock = (side: string) =>
            game.line.map((move) =>
                (/ b /.test(move.fen) ? "white" : "black") === side ? move.clock : null,
            );
        return { x, scores, evals, white: clock("white"), black: clock("black") };
    }, [game]);
    const some = (values: (number | null)[]) => values.filter((v) => v !== null).length > 1;
    const xSteps = [2, 4, 10, 20, 40, 100, 200, 400]; // plies, for round numbers of moves
    const xText = (ply: number) => String(Math.ceil(ply / 2));
    const name = (index: number) => {
        const move = game.line[index]!;
        return `${Math.ceil(move.ply / 2)}${move.ply % 2 ? "." : "…"} ${sanText(move.san)}`;
    };
    return (
        <>
            {some(curves.evals) && (
                <figure>
                    <figcaption>{t("evaluation")}</figcaption>
                    <Curve
                        x={curves.x}
                        lines={[
                            {
                                label: t("evaluation"),
                                values: curves.evals,
                                color: "--accent",
                                fill: "--accent-soft",
                            },
                        ]}
                        label={t("evaluation")}
                        xText={xText}
                        xSteps={xSteps}
                        yText={(y) => number(y)}
                        read={(index) => {
                            const score = curves.scores[index];
                            return `${name(index)}: ${score ? scoreText(score) : ""}`;
                        }}
                        height={130}
                        range={[-10, 10]}
                        at={at - 1}
                        onPick={(index) => props.onPick(index + 1)}
                    />
                </figure>
            )}
            {(some(curves.white) || some(curves.black)) && (
                <figure>
                    <figcaption>
                        {t("clock")}: <span class="key key-white">{t("white")}</span>{" "}
                        <span class="key key-black">{t("black")}</span>
                    </figcaption>
                    <Curve
                        x={curves.x}
                        lines={[
                            { label: t("white"), values: curves.white, color: "--accent" },
                            { label: t("black"), values: curves.black, color: "--warn" },
                        ]}
                        label={t("clock")}
                        xText={xText}
                        xSteps={xSteps}
                        yText={clockText}
                        ySteps={[1, 5, 10, 30, 60, 300, 600, 900, 1800, 3600, 7200]}
                        read={(index) =>
                            `${name(index)}: ${clockText(game.line[index]!.clock ?? 0)}`
                        }
                        height={110}
                        at={at - 1}
                        onPick={(index) => props.onPick(index + 1)}
                    />
                </figure>
            )}
        </>
    );
}
