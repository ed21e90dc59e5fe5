// The filters of the address as chips, and a panel to set them. Every view may use it.
import { useId, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { filters, go, useAddress, type Filter } from "../state";
import { AlikeNamesOfFilter } from "./AlikeNames";
import { choiceText, fieldOf, labelOf } from "./filter-words";
import { FilterPanel } from "./filters/FilterPanel";

export function FilterChips({ hide = [] }: { hide?: readonly Filter[] }) {
    const { params } = useAddress();
    const [open, setOpen] = useState(false);
    const opener = useRef<HTMLButtonElement>(null);
    const panel = useId();
    const set = filters(params).filter(([key]) => !hide.includes(key));

    function remove(key: string, value: string): void {
        const rest = params.getAll(key).filter((one) => one !== value);
        go({ [key]: rest, cursor: null });
        opener.current?.focus();
    }

    return (
        <section class="filters" aria-label={t("filters")}>
            <ul class="chips">
                {set.map(([key, value]) => {
                    const name = `${labelOf(key)}: ${choiceText(fieldOf(key), value)}`;
                    return (
                        <li key={`${key}=${value}`} class="chip">
                            <span>{name}</span>
                            <button
                                type="button"
                                aria-label={t("removeFilter", { name })}
                                title={t("removeFilter", { name })}
                                onClick={() => remove(key, value)}
                            >
                                ×
                            </button>
                        </li>
                    );
                })}
                <li>
                    <button
                        ref={opener}
                        type="button"
                        class="add-filter"
                        aria-expanded={open}
                        aria-controls={panel}
                        onClick={() => setOpen(!open)}
                    >
                        {open ? t("closeFilters") : t("addFilter")}
                    </button>
                </li>
                {set.length > 1 && (
                    <li>
                        <button
                            type="button"
                            class="link"
                            onClick={() => {
                                const none = Object.fromEntries(set.map(([key]) => [key, null]));
                                go({ ...none, cursor: null });
                                opener.current?.focus();
                            }}
                        >
                            {t("removeAllFilters")}
                        </button>
                    </li>
                )}
            </ul>
            {!hide.includes("player") && <AlikeNamesOfFilter />}
            <div id={panel} hidden={!open}>
                {open && (
                    <FilterPanel
                        hide={hide}
                        onClose={() => {
                            setOpen(false);
                            opener.current?.focus();
                        }}
                    />
                )}
            </div>
        </section>
    );
}
