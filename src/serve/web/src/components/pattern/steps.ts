// The steps of a search by pattern: what must be on the board and played at once, and what comes
// later in the game. In the API the first step is `pattern`, `material` and `move`, and each other
// one a `then`, in which the words of all three stand side by side.

export interface Step {
    pattern: string;
    material: string;
    move: string; // with the words white, black and quiet, and "within 6"
}
export const kNoStep: Step = { pattern: "", material: "", move: "" };

export function isEmpty({ pattern, material, move }: Step): boolean {
    return [pattern, material, move].every((text) => text.trim() === "");
}

// Any position, or any move.
const kAny = "any";

export function textOf(step: Step): string {
    const words = [step.pattern, step.material, step.move].map((text) => text.trim());
    return words.filter((text) => text !== "").join(" ") || kAny;
}

const isMaterial = (word: string) =>
    word === "opposite" || /v/i.test(word) || /^[KQRBNPkqrbnp](-[KQRBNPkqrbnp])?[=!<>]/.test(word);

export function stepOf(text: string): Step {
    const words = text.split(/\s+/).filter((word) => word !== "" && word !== kAny);
    const is = {
        pattern: (word: string) => word.includes("/"),
        material: (word: string) => !word.includes("/") && isMaterial(word),
    };
    return {
        pattern: words.filter(is.pattern).join(" "),
        material: words.filter(is.material).join(" "),
        move: words.filter((word) => !is.pattern(word) && !is.material(word)).join(" "),
    };
}

// How soon each step comes after the one before it: some time, within so many plies, or next.
export interface Sequence {
    steps: readonly Step[]; // one or more
    within: string;
    streak: boolean;
}

export interface Wanted {
    sequence: Sequence;
    either: boolean; // with colours exchanged, too
}

export function sequenceOf(params: URLSearchParams): Sequence {
    const get = (name: string) => params.get(name) ?? "";
    const first = { pattern: get("pattern"), material: get("material"), move: get("move") };
    return {
        steps: [{ ...first, move: stepOf(first.move).move }, ...params.getAll("then").map(stepOf)],
        within: get("within"),
        streak: get("streak") === "1",
    };
}

// Returns what the address and the API have for a sequence. Steps at the end that say nothing are
// left out.
export function fieldsOf({ steps, within, streak }: Sequence) {
    let said = steps.length;
    while (said > 0 && isEmpty(steps[said - 1]!)) said--;
    const [first = kNoStep, ...later] = steps.slice(0, said);
    const several = later.length > 0;
    return {
        pattern: first.pattern.trim(),
        material: first.material.trim(),
        move: first.move.trim() || (several && isEmpty(first) ? kAny : ""),
        then: later.map(textOf),
        within: several && !streak ? within.trim() : "",
        streak: several && streak,
    };
}
