// Links to plies of a game. Plies that follow one another are one range.
import { t } from "../i18n";
import { href } from "../state";
import type { PlayedGame } from "./game/played-game";
import { numberedMove } from "./moves";

const kMost = 24;
const kShortest = 3; // plies of a range

interface Range {
    index: number; // of its first ply in the list
    from: number;
    to: number;
}

function rangesOf(plies: readonly number[]): Range[] {
    const ranges: Range[] = [];
    for (let index = 0, end = 0; index < plies.length; index = end) {
        end = index + 1;
        while (plies[end] === plies[end - 1]! + 1) end++;
        if (end - index < kShortest) end = index + 1;
        ranges.push({ index, from: plies[index]!, to: plies[end - 1]! });
    }
    return ranges;
}

function rangeText(game: PlayedGame, { from, to }: Range): string {
    const move = (ply: number) => Math.max(1, Math.ceil(ply / 2));
    if (from < to) return t("movesFromTo", { from: move(from), to: move(to) });
    const before = game.line[from - 1];
    return before ? t("afterMove", { move: numberedMove(from, before.san) }) : t("atStart");
}

export function Jumps(props: {
    game: PlayedGame;
    jumps: readonly number[];
    ply: number;
    title: string;
}) {
    const { game, jumps, ply, title } = props;
    const ranges = rangesOf(jumps);
    // If there are very many, shows those around the current one.
    const near = ranges.findIndex(({ to }) => to >= ply);
    const middle = (near < 0 ? ranges.length : near) - kMost / 2;
    const first = Math.max(0, Math.min(middle, ranges.length - kMost));
    return (
        <nav class="jumps" aria-label={title}>
            <h3>{title}</h3>
            <ol>
                {ranges.slice(first, first + kMost).map((range) => (
                    <li key={range.from}>
                        <a
                            href={href({ ply: range.from })}
                            aria-current={range.from <= ply && ply <= range.to ? "step" : undefined}
                        >
                            {range.from === range.to && <b>{range.index + 1}.</b>}{" "}
                            {rangeText(game, range)}
                        </a>
                    </li>
                ))}
                {ranges.length > kMost && (
                    <li class="quiet">{t("hitsMore", { n: ranges.length - kMost })}</li>
                )}
            </ol>
        </nav>
    );
}
