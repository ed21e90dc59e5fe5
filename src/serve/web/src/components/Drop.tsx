// A view onto which a file can be dropped anywhere.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";

export function Drop(props: { onFile: (file: Blob) => void; children: ComponentChildren }) {
    const [over, setOver] = useState(false);
    return (
        <div
            class={`drop ${over ? "drop-over" : ""}`}
            onDragOver={(event) => {
                event.preventDefault();
                setOver(true);
            }}
            onDragLeave={(event) => {
                if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
            }}
            onDrop={(event) => {
                event.preventDefault();
                setOver(false);
                const file = event.dataTransfer?.files[0];
                props.onFile(file ?? new Blob([event.dataTransfer?.getData("text/plain") ?? ""]));
            }}
        >
            {props.children}
            {over && (
                <p class="drop-here" aria-hidden="true">
                    {t("dropHere")}
                </p>
            )}
        </div>
    );
}
