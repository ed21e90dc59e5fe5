// Buttons to walk along a game, by one ply and to the plies that matter.
import { t } from "../i18n";
import { IconButton, type IconName } from "./Icon";

export function JumpWalk(props: {
    ply: number;
    last: number;
    jumps: { back: number | undefined; on: number | undefined };
    move: string; // that led to the ply
    onStep: (to: number | undefined) => void;
    onFlip: () => void;
}) {
    const { ply, last, jumps, onStep } = props;
    const button = (label: string, icon: IconName, to: number | undefined) => (
        <IconButton
            label={label}
            icon={icon}
            disabled={to === undefined || to < 0 || to > last}
            onClick={() => onStep(to)}
        />
    );
    return (
        <div class="walk" role="group" aria-label={t("walk")}>
            {button(t("previousTime"), "start", jumps.back)}
            {button(t("stepBack"), "back", ply - 1)}
            <span class="walk-move" aria-live="polite">
                {props.move}
            </span>
            {button(t("stepOn"), "forward", ply + 1)}
            {button(t("nextTime"), "end", jumps.on)}
            <IconButton label={t("flip")} icon="flip" onClick={props.onFlip} />
        </div>
    );
}
