// Games, and where each left the lines of a repertoire.
import { date, t } from "../../i18n";
import { href } from "../../state";
import type { RepertoireGame } from "../../types";
import { resultText } from "../listed-game";
import { useRoving } from "../keys";
import { moveNumber } from "../move-number";
import { NameText } from "../NameText";
import { sanText } from "../squares";
import { kSideWords } from "./left-games";

export function LeftGameTable({ rows }: { rows: readonly RepertoireGame[] }) {
    const body = useRoving<HTMLTableSectionElement>("a");
    return (
        <table class="figures">
            <thead>
                <tr>
                    <th scope="col">{t("gameHead")}</th>
                    <th scope="col">{t("whoLeft")}</th>
                    <th scope="col" class="num">
                        {t("points")}
                    </th>
                </tr>
            </thead>
            <tbody ref={body}>
                {rows.map((row) => (
                    <Row key={row.ref} row={row} />
                ))}
            </tbody>
        </table>
    );
}

const kPoints: Record<number, string> = { 0: "0", 0.5: "½", 1: "1" };

function Row({ row }: { row: RepertoireGame }) {
    const known = (name: string | null) => (name && name !== "?" ? name : t("unknown"));
    return (
        <tr>
            <th scope="row">
                <a href={href({ view: "games", game: row.ref, ply: row.ply || null })}>
                    <NameText name={known(row.white)} /> – <NameText name={known(row.black)} />
                </a>{" "}
                <span class="quiet ended">
                    {[resultText(row.result), date(row.date)].filter(Boolean).join(" · ")}
                </span>
            </th>
            <td>
                {t(kSideWords[row.left_by ?? "nobody"])}
                {row.left_by && row.played && (
                    <>
                        {": "}
                        <strong>
                            {moveNumber(row.fen, true)}
                            {sanText(row.played)}
                        </strong>{" "}
                        <span class="quiet">
                            {t("insteadOf", { moves: row.expected.map(sanText).join(", ") })}
                        </span>
                    </>
                )}
            </td>
            <td class="num">{row.points !== null && kPoints[row.points]}</td>
        </tr>
    );
}
