// Positions that games repeated: a list with filters, and the position on the board.
import { Field, FilterChips } from "../components/FilterChips";
import { GameBoard } from "../components/GameBoard";
import { GameCells } from "../components/GameCells";
import { resultText } from "../components/GameList";
import { useRoving } from "../components/keys";
import { MorePages } from "../components/MorePages";
import { usePages } from "../components/pages";
import { t } from "../i18n";
import { filters, go, href } from "../state";
import type { Repetition } from "../types";
import type { View } from "./view";

// The values to which the list can be restricted.
const kinds = ["missed", "perpetual"] as const;

const Repetitions: View = ({ address }) => {
    const { params } = address;
    const min = params.get("min") ?? "3";
    const pages = usePages<Repetition>("repeats", [
        ["min", min === "3" ? null : min],
        ...kinds.map((kind): [string, boolean] => [kind, params.get(kind) === "1"]),
        ...filters(params),
    ]);
    const game = params.get("game");
    const key = params.get("key");
    const chosen = pages.items.find((row) => row.ref === game && row.key === key);
    return (
        <div class={`beside ${game ? "has-board" : ""}`}>
            <div class="beside-list card">
                <h1 class="hidden">{t("repetitions")}</h1>
                <p class="quiet intro">{t("repetitionsIntro")}</p>
                <div class="fields options">
                    <Field label={t("atLeast")}>
                        <select
                            value={min}
                            onChange={(event) => {
                                const value = event.currentTarget.value;
                                go({ min: value === "3" ? null : value, game: null, key: null, ply: null });
                            }}
                        >
                            <option value="3">{t("times3")}</option>
                            <option value="4">{t("times4")}</option>
                            <option value="5">{t("times5")}</option>
                        </select>
                    </Field>
                    {kinds.map((kind) => (
                        <label key={kind} class="check" title={t(`${kind}Explained`)}>
                            <input
                                type="checkbox"
                                checked={params.get(kind) === "1"}
                                onChange={(event) =>
                                    go({
                                        [kind]: event.currentTarget.checked,
                                        game: null,
                                        key: null,
                                        ply: null,
                                    })
                                }
                            />{" "}
                            {t(`${kind}Only`)}
                        </label>
                    ))}
                    <FilterChips />
                </div>
                <Rows rows={pages.items} chosen={chosen} />
                <MorePages pages={pages} empty="noRepetitions" />
            </div>
            <div class="beside-board card">
                {game && key ? (
                    <GameBoard
                        game={game}
                        ply={Number(params.get("ply") ?? chosen?.plies[0] ?? 0)}
                        title={t("occurrences")}
                        jumps={
                            chosen?.plies ??
                            ((whole) =>
                                whole.line.filter((move) => move.key === key).map((move) => move.ply))
                        }
                    >
                        {chosen && <Told row={chosen} />}
                    </GameBoard>
                ) : (
                    <p class="quiet">{t("chooseRow")}</p>
                )}
            </div>
        </div>
    );
};
export default Repetitions;

function Rows({ rows, chosen }: { rows: readonly Repetition[]; chosen?: Repetition }) {
    const list = useRoving<HTMLOListElement>("a");
    return (
        <ol ref={list} class="game-list repeat-list" aria-label={t("repetitionsLabel")}>
            {rows.map((row) => (
                <li key={`${row.ref} ${row.key}`}>
                    <a
                        href={href({ game: row.ref, key: row.key, ply: row.plies[0] })}
                        aria-current={row === chosen ? "true" : undefined}
                    >
                        <GameCells game={row} />
                        <span class="times">{t("repeatedTimes", { n: row.count })}</span>
                    </a>
                </li>
            ))}
        </ol>
    );
}

// The claims and draws by the rules, and how the game went on.
function Told({ row }: { row: Repetition }) {
    return (
        <ul class="told">
            {row.claimant && <li>{t("couldClaim", { side: t(row.claimant) })}</li>}
            {row.announcer && (
                <li>
                    {t("couldAnnounce", {
                        side: t(row.announcer),
                        move: row.announced_move ?? "",
                        ply: row.announced_ply ?? 0,
                    })}
                </li>
            )}
            {row.checks && row.checks !== "both" && (
                <li>{t("perpetualCheck", { side: t(row.checks) })}</li>
            )}
            {row.fifth_ply !== null && <li>{t("drawAutomatic")}</li>}
            <li>
                {row.played_on !== null && (row.played_on > 0
                    ? t("playedOn", { n: row.played_on })
                    : t("endedThere"))}{" "}
                {t("gameResult", { result: resultText(row.result) })}
            </li>
        </ul>
    );
}
