// A field of a form with its label.
import type { ComponentChildren } from "preact";

export function Field({ label, children }: { label: string; children: ComponentChildren }) {
    return (
        <label class="field">
            <span>{label}</span>
            {children}
        </label>
    );
}
