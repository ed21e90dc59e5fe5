// The board of the explorer: moves on it and by text, the pockets, the walk along the line, and
// the choice of another position.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { go } from "../state";
import type { LegalMove } from "../types";
import { Board } from "./Board";
import type { Arrow } from "./board-drawing";
import type { Score } from "./Evaluation";
import { drawnOn, withDrawn } from "./comments";
import { linkIn, type TreeInWork } from "./kept-trees";
import { annotated, commentAt, lineThrough, placeAfter } from "./tree";
import { useKeys } from "./keys";
import { afterMove, type Line } from "./line";
import { MoveInput } from "./MoveInput";
import { Walk } from "./Walk";
import { Pocket } from "./Pockets";
import { PositionBar } from "./PositionBar";
import { PositionForm } from "./PositionForm";
import { endsOf, type Side } from "./squares";

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
            <PositionBar line={line} work={work} open={settingUp} onOpen={onSetUp} />
        </section>
    );
}
