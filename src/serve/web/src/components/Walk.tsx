// Buttons to walk along moves.
import { t } from "../i18n";
import { IconButton, type IconName } from "./Icon";

export function Walk(props: {
    at: number;
    length: number;
    onGo: (at: number) => void;
    onFlip: () => void;
}) {
    const { at, length, onGo } = props;
    const button = (label: string, icon: IconName, to: number, able: boolean) => (
        <IconButton label={label} icon={icon} disabled={!able} onClick={() => onGo(to)} />
    );
    return (
        <div class="walk" role="group" aria-label={t("walk")}>
            {button(t("toStart"), "start", 0, at > 0)}
            {button(t("back"), "back", at - 1, at > 0)}
            {button(t("forward"), "forward", at + 1, at < length)}
            {button(t("toEnd"), "end", length, at < length)}
            <IconButton label={t("flip")} icon="flip" onClick={props.onFlip} />
        </div>
    );
}
