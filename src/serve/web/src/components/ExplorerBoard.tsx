// The board of the explorer: moves on it and by text, the pockets, the walk along the line, and
// the choice of another position.
import { useState } from "preact/hooks";
import { ApiError } from "../api";
import { t } from "../i18n";
import { go, href } from "../state";
import type { LegalMove } from "../types";
import { Board } from "./Board";
import type { Arrow } from "./board-drawing";
import type { Score } from "./Evaluation";
import { drawnOn, withDrawn } from "./comments";
import { Failure } from "./Failure";
import { linkIn, type TreeInWork } from "./kept-trees";
import { annotated, commentAt, lineThrough, placeAfter } from "./tree";
import { useKeys } from "./keys";
import { afterMove, type Line } from "./line";
import { Walk } from "./Walk";
import { Pocket } from "./Pockets";
import { showPasted } from "./pasted";
import { kVariants, PositionForm } from "./PositionForm";
import { endsOf, sanOf, sanText, type Side } from "./squares";

export function ExplorerBoard(props: {
    line: Line;
    work: TreeInWork;
    flipped: boolean;
    arrow: Arrow | null;
    score: Score | null;
    onLeave: () => void; // another position follows
    settingUp: boolean;
    onSetUp: (open: boolean) => void;
}) {
    const { line, work, flipped, settingUp, onSetUp } = props;
    const [drop, setDrop] = useState<string | null>(null);

    // The moves to the position shown, and on to the end of their line.
    const moves = lineThrough(work.tree, work.place);
    const walk = (at: number) => {
        if (at < 0 || at > moves.length) return;
        props.onLeave();
        const to = placeAfter(
            work.tree,
            moves.slice(0, at).map(({ uci }) => uci),
        );
        if (to !== null) go(linkIn(work.tree, to), "replace");
    };
    const comment = commentAt(work.tree, work.place);
    const draw = (arrow: Arrow) => {
        const changes = { comment: withDrawn(comment, arrow) };
        work.change(annotated(work.tree, work.place, changes), work.place);
    };
    const flip = () => go({ flip: !flipped }, "replace");
    useKeys({
        ArrowLeft: () => walk(line.at - 1),
        ArrowRight: () => walk(line.at + 1),
        ArrowUp: () => walk(0),
        ArrowDown: () => walk(moves.length),
        f: flip,
    });

    function play(move: LegalMove): void {
        props.onLeave();
        setDrop(null);
        go(afterMove(line, move.uci));
    }

    const pockets = line.position?.pockets;
    const turn = line.position?.turn ?? "white";
    const pocket = (side: Side) =>
        pockets && (
            <Pocket
                side={side}
                pieces={pockets[side]}
                active={side === turn}
                chosen={drop}
                onChoose={setDrop}
            />
        );
    const status = line.position?.status;
    return (
        <section class="board-side" aria-label={t("position")}>
            {settingUp && line.position ? (
                <PositionForm
                    position={line.position}
                    variant={line.variant}
                    onDone={() => onSetUp(false)}
                />
            ) : (
                <>
                    <div class="board-stack">
                        {pocket(flipped ? "white" : "black")}
                        <Board
                            fen={line.fen}
                            orientation={flipped ? "black" : "white"}
                            legal={line.legal}
                            onMove={play}
                            lastMove={line.at > 0 ? endsOf(line.play[line.at - 1]!) : null}
                            check={status === "check" || status === "checkmate"}
                            arrows={[...drawnOn(comment), ...(props.arrow ? [props.arrow] : [])]}
                            onDraw={draw}
                            onWheel={(by) => walk(line.at + by)}
                            drop={drop}
                            onDropped={() => setDrop(null)}
                            score={props.score}
                        />
                        {pocket(flipped ? "black" : "white")}
                    </div>
                    <div class="under-board">
                        <Walk at={line.at} length={moves.length} onGo={walk} onFlip={flip} />
                        <MoveInput legal={line.legal} onMove={play} />
                    </div>
                </>
            )}
            <PositionBar line={line} open={settingUp} onOpen={onSetUp} />
        </section>
    );
}

// Moves can be typed, too: Nf3, e8=Q, N@f3, g1f3.
function MoveInput(props: { legal: readonly LegalMove[]; onMove: (move: LegalMove) => void }) {
    const [text, setText] = useState("");
    const [wrong, setWrong] = useState("");
    function submit(event: Event): void {
        event.preventDefault();
        const typed = text.trim();
        if (typed === "") return;
        const plain = (san: string) => san.replace(/[+#=x!?]/g, "").replace(/0/g, "O");
        const wanted = plain(sanOf(typed));
        const move =
            props.legal.find((one) => plain(one.san) === wanted) ??
            props.legal.find((one) => one.uci === typed.toLowerCase()) ??
            props.legal.find((one) => plain(one.san).toLowerCase() === wanted.toLowerCase());
        if (!move) {
            setWrong(typed);
            return;
        }
        setWrong("");
        setText("");
        props.onMove(move);
    }
    return (
        <form class="move-input" onSubmit={submit}>
            <input
                value={text}
                size={6}
                aria-label={t("typeMove")}
                placeholder={sanText("Nf3")}
                title={t("typeMove")}
                aria-invalid={wrong !== ""}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => {
                    setText(event.currentTarget.value);
                    setWrong("");
                }}
            />
            <span class="failure" role="status">
                {wrong && t("noSuchMove", { text: wrong })}
            </span>
        </form>
    );
}

function PositionBar(props: { line: Line; open: boolean; onOpen: (open: boolean) => void }) {
    const { line } = props;
    const [error, setError] = useState<ApiError>();
    const begun = line.play.length > 0 || line.base.some(([key, fen]) => key === "fen" && fen);

    function show(text: string): void {
        setError(undefined);
        showPasted(text, line.variant).catch((failure: unknown) => {
            if (!(failure instanceof ApiError)) throw failure;
            setError(failure);
        });
    }

    return (
        <div class="position-bar">
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    show(event.currentTarget.querySelector("input")!.value);
                }}
            >
                <input
                    class="fen"
                    key={line.fen}
                    defaultValue={line.fen}
                    aria-label={t("fenLabel")}
                    title={t("fenLabel")}
                    aria-invalid={error !== undefined}
                    spellcheck={false}
                    autocomplete="off"
                    onFocus={(event) => event.currentTarget.select()}
                />
            </form>
            <Failure error={error} />
            <select
                value={line.variant || "standard"}
                aria-label={t("variant")}
                title={t("variant")}
                onChange={(event) => {
                    const to = event.currentTarget.value;
                    go({ variant: to === "standard" ? null : to, fen: null, play: null, at: null });
                }}
            >
                {kVariants.map(([name, label]) => (
                    <option key={name} value={name}>
                        {label}
                    </option>
                ))}
            </select>
            <button type="button" onClick={() => props.onOpen(!props.open)}>
                {t(props.open ? "backToBoard" : "changePosition")}
            </button>
            {begun && !props.open && (
                <a class="button" href={href({ play: null, at: null, fen: null })}>
                    {t("newLine")}
                </a>
            )}
        </div>
    );
}
