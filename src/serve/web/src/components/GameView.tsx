// One game: its board, its moves with annotations, clocks and evaluation.
import { useApi } from "../api";
import { t } from "../i18n";
import { useTitle } from "../title";
import type { Game } from "../types";
import { Failure } from "./Failure";
import { GameWays } from "./game/GameWays";
import { isPlayed } from "./game/played-game";
import type { Neighbours } from "./game-neighbours";
import type { Shown } from "./game-search";
import { GameDesk } from "./GameDesk";
import { GameHead } from "./GameHead";
import { resultText } from "./listed-game";
import { useInSight } from "./sight";

interface GameViewProps {
    reference: string;
    params: URLSearchParams;
    beside: Neighbours; // in the list
    onShow: (shown: Shown) => void; // the board has another position
}

export function GameView({ reference, params, beside, onShow }: GameViewProps) {
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
                <GameDesk
                    stored={found}
                    params={params}
                    onShow={onShow}
                    ways={<GameWays reference={reference} beside={beside} />}
                />
            ) : (
                <>
                    <GameHead game={found} />
                    <p class="failure">{t("notReplayed")}</p>
                    <div class="under-board">
                        <GameWays reference={reference} beside={beside} />
                    </div>
                </>
            )}
        </article>
    );
}
