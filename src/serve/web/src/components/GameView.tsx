// One game: its board, its moves with annotations, clocks and evaluation.
import { url, useApi } from "../api";
import { t } from "../i18n";
import { href } from "../state";
import { useTitle } from "../title";
import type { Game } from "../types";
import { Failure } from "./Failure";
import { GameDesk } from "./GameDesk";
import { GameHead } from "./GameHead";
import { resultText } from "./GameList";
import { isPlayed } from "./GameMoves";
import { Icon } from "./Icon";
import { useInSight } from "./sight";

export function GameView({ reference, params }: { reference: string; params: URLSearchParams }) {
    // `reached` takes a look-up for each ply, so the game is shown before these numbers arrive.
    const path = `games/${encodeURIComponent(reference)}`;
    const plain = useApi<Game>(path);
    const whole = useApi<Game>(path, [
        ["reached", true],
        ["errors", true],
    ]);
    const answer = whole.data && !whole.other ? whole : plain;
    const found = answer.data;
    const article = useInSight<HTMLElement>(found && reference);
    useTitle(found && `${found.white} – ${found.black} ${resultText(found.result)}`);

    const error = plain.error ?? (found ? undefined : whole.error);
    if (error)
        return (
            <div class="card">
                {error.status === 404 ? (
                    <p class="failure" role="alert">
                        {t("gameNotFound")}
                    </p>
                ) : (
                    <Failure error={error} again={plain.again} />
                )}
            </div>
        );
    if (!found) return <p class="quiet">{t("loading")}</p>;
    const played = isPlayed(found);
    return (
        <article
            ref={article}
            class={played ? "game" : "card"}
            aria-label={`${found.white} – ${found.black}`}
        >
            {played ? (
                <GameDesk stored={found} params={params} ways={<Ways reference={reference} />} />
            ) : (
                <>
                    <GameHead game={found} />
                    <p class="failure">{t("notReplayed")}</p>
                    <div class="under-board">
                        <Ways reference={reference} />
                    </div>
                </>
            )}
        </article>
    );
}

// The ways out of the game.
function Ways({ reference }: { reference: string }) {
    return (
        <>
            <a
                class="button"
                href={url(`games/${encodeURIComponent(reference)}.pgn`)}
                download={`${reference.replace(":", "-")}.pgn`}
            >
                PGN
            </a>
            <a
                class="button"
                href={href({ game: null, ply: null, key: null })}
                title={t("closeGame")}
                aria-label={t("closeGame")}
            >
                <Icon name="close" />
            </a>
        </>
    );
}
