// A setting of the page with its choices.
import { Icon, type IconName } from "./Icon";

export function Setting<T extends string>(props: {
    icon: IconName;
    label: string;
    value: T;
    choices: Record<string, string>;
    onChoose: (value: T) => void;
}) {
    return (
        <label class="setting">
            <Icon name={props.icon} />
            <span>{props.label}</span>
            <select
                aria-label={props.label}
                value={props.value}
                onChange={(event) => props.onChoose(event.currentTarget.value as T)}
            >
                {Object.entries(props.choices).map(([value, text]) => (
                    <option key={value} value={value}>
                        {text}
                    </option>
                ))}
            </select>
        </label>
    );
}
