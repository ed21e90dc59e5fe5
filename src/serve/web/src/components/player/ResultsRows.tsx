// Rows of a player's results.
import { useState } from "preact/hooks";
import { number, t } from "../../i18n";
import type { Score } from "../../types";
import { ResultsBar, scoreText } from "../ResultsBar";

export function ResultsHead({ first }: { first: string }) {
    return (
        <thead>
            <tr>
                <th scope="col">{first}</th>
                <th scope="col" class="num">
                    {t("gamesColumn")}
                </th>
                <th scope="col" class="num">
                    {t("score")}
                </th>
                <th scope="col">
                    <span class="hidden">{t("result")}</span>
                </th>
            </tr>
        </thead>
    );
}

export function ResultsRow({ name, results }: { name: string; results: Score }) {
    return (
        <tr>
            <th scope="row">{name}</th>
            <td class="num">{number(results.games)}</td>
            <td class="num">{scoreText(results.score)}</td>
            <td class="results">
                <ResultsBar results={results} />
            </td>
        </tr>
    );
}

const kFewRows = 6;

// Rows of results, of which all but the first are shown on demand.
export function FewRows(props: {
    first: string; // the head of the first column
    rows: readonly { name: string; results: Score }[];
    all: string; // what shows the others
    kind?: string;
}) {
    const [all, setAll] = useState(false);
    const { rows } = props;
    return (
        <>
            <table class={`figures ${props.kind ?? ""}`}>
                <ResultsHead first={props.first} />
                <tbody>
                    {(all ? rows : rows.slice(0, kFewRows)).map((row) => (
                        <ResultsRow key={row.name} {...row} />
                    ))}
                </tbody>
            </table>
            {!all && rows.length > kFewRows && (
                <p class="buttons">
                    <button type="button" class="link" onClick={() => setAll(true)}>
                        {props.all}
                    </button>
                </p>
            )}
        </>
    );
}
