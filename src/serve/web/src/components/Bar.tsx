// A bar of three parts for three numbers. Parts that are wide enough show their share.
import { percent } from "../i18n";

const kWideEnough = 14; // percent

export interface BarProps {
    parts: readonly (readonly [name: string, n: number])[]; // the names are CSS classes
    label: string;
    class?: string;
}

export function Bar({ parts, label, class: name = "" }: BarProps) {
    const total = parts.reduce((sum, [, n]) => sum + n, 0);
    if (total === 0) return <span class="bar bar-empty" />;
    return (
        <span class={`bar ${name}`} role="img" aria-label={label} title={label}>
            {parts.map(([part, n]) => {
                const width = (100 * n) / total;
                return width === 0 ? null : (
                    <span key={part} class={part} style={{ width: `${width}%` }}>
                        {width >= kWideEnough ? percent(n, total) : ""}
                    </span>
                );
            })}
        </span>
    );
}
