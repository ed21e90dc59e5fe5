// The opening of a position, whose move it is, and how the game stands.
import { t } from "../i18n";
import type { Position } from "../types";
import type { Line } from "./line";
import { kVariants } from "./variants";

function statusText(position: Position | undefined): string {
    switch (position?.status) {
        case "check":
            return t("check");
        case "checkmate":
            return t("checkmate");
        case "stalemate":
            return t("stalemate");
        case "insufficient material":
            return t("nobodyCanMate");
        case "seventy-five moves":
            return t("seventyFiveMoves");
        case undefined:
        case "ongoing":
            return "";
        default:
            return position!.status.replace(/_/g, " ");
    }
}

export function OpeningHead({ line }: { line: Line }) {
    const status = statusText(line.position);
    const variant = kVariants.find(([name]) => name === line.variant)?.[1];
    const plain = line.at === 0 && !line.base.some(([key, value]) => key === "fen" && value !== "");
    const checks = line.position?.checks;
    return (
        <header class="opening">
            <h2>
                {line.opening && <span class="eco">{line.opening.eco}</span>}{" "}
                {line.opening?.name ?? variant ?? t(plain ? "startHeading" : "noOpening")}
            </h2>
            <p class="quiet">
                {line.position
                    ? t(line.position.turn === "white" ? "whiteToMove" : "blackToMove")
                    : "\u00a0"}
                {status && `, ${status}`}
                {checks && <> · {t("checksGiven", { white: checks.white, black: checks.black })}</>}
            </p>
        </header>
    );
}
