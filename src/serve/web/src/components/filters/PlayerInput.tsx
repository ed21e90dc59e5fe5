// A name with suggestions from the database.
import { useEffect, useId, useState } from "preact/hooks";
import { useApi } from "../../api";
import { t } from "../../i18n";
import type { Page, PlayerRow } from "../../types";

export function PlayerInput(props: {
    value: string;
    onChange: (value: string) => void;
    id?: string;
}) {
    const [typed, setTyped] = useState(props.value);
    const [asked, setAsked] = useState("");
    useEffect(() => setTyped(props.value), [props.value]);
    useEffect(() => {
        // Names are looked up when the typing pauses.
        const pause = setTimeout(() => setAsked(typed.trim()), 150);
        return () => clearTimeout(pause);
    }, [typed]);
    const list = useId();
    const { data } = useApi<Page<PlayerRow>>(asked.length >= 2 ? "players" : null, [
        ["prefix", asked],
        ["limit", 12],
    ]);
    return (
        <>
            <input
                id={props.id}
                list={list}
                value={typed}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => setTyped(event.currentTarget.value)}
                onChange={(event) => props.onChange(event.currentTarget.value)}
            />
            <datalist id={list}>
                {data?.items.map((player) => (
                    <option key={player.name} value={player.name}>
                        {t("gamesOf", { n: player.games })}
                    </option>
                ))}
            </datalist>
        </>
    );
}
