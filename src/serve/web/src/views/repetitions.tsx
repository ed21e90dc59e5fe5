// Positions that games repeated: a list with filters, and the position on the board.
import { Field } from "../components/Field";
import { FilterChips } from "../components/FilterChips";
import { GameBoard } from "../components/GameBoard";
import { MorePages } from "../components/MorePages";
import { usePages } from "../components/pages";
import { RepetitionFacts } from "../components/RepetitionFacts";
import { RepetitionList } from "../components/RepetitionList";
import { t } from "../i18n";
import { conditions, go } from "../state";
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
        ...conditions(params),
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
                                go({
                                    min: value === "3" ? null : value,
                                    game: null,
                                    key: null,
                                    ply: null,
                                });
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
                <RepetitionList rows={pages.items} chosen={chosen} />
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
                                whole.line
                                    .filter((move) => move.key === key)
                                    .map((move) => move.ply))
                        }
                    >
                        {chosen && <RepetitionFacts row={chosen} />}
                    </GameBoard>
                ) : (
                    <p class="quiet">{t("chooseRow")}</p>
                )}
            </div>
        </div>
    );
};
export default Repetitions;
