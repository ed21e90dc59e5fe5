// A field for a text that is written exactly: a pattern, material, a move.
import { Field } from "./Field";

export function CodeField(props: {
    label: string;
    value: string;
    placeholder?: string;
    title?: string;
    onChange: (value: string) => void;
}) {
    return (
        <Field label={props.label}>
            <input
                class="code"
                value={props.value}
                placeholder={props.placeholder}
                title={props.title}
                spellcheck={false}
                autocomplete="off"
                onInput={(event) => props.onChange(event.currentTarget.value)}
            />
        </Field>
    );
}
