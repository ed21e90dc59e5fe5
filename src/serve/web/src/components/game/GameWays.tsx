// The ways out of a game: to its neighbours in the list, to its PGN, back to the list.
import { url } from "../../api";
import { t } from "../../i18n";
import { href } from "../../state";
import type { Neighbours } from "../game-neighbours";
import { Icon, IconButton } from "../Icon";
import { useKeys } from "../keys";

export function GameWays({ reference, beside }: { reference: string; beside: Neighbours }) {
    const { previous, next } = beside;
    useKeys({ p: () => previous?.(), n: () => next?.() });
    return (
        <>
            {(previous || next) && (
                <div class="walk" role="group" aria-label={t("otherGames")}>
                    <IconButton
                        label={t("previousGame")}
                        icon="previousGame"
                        disabled={!previous}
                        onClick={() => previous?.()}
                    />
                    <IconButton
                        label={t("nextGame")}
                        icon="nextGame"
                        disabled={!next}
                        onClick={() => next?.()}
                    />
                </div>
            )}
            <div class="tools">
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
            </div>
        </>
    );
}
