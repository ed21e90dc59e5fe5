// A number of games. A large number has a short form for narrow screens.
import { number, shortNumber } from "../i18n";

export function GamesNumber({ n }: { n: number }) {
    if (n < 100_000) return <>{number(n)}</>;
    return (
        <>
            <span class="long">{number(n)}</span>
            <span class="short" title={number(n)}>
                {shortNumber(n)}
            </span>
        </>
    );
}
