// The board of the explorer: moves on it and by text, the walk along the line, and the choice of
// another position.
import { t } from "../i18n";
import { go } from "../state";
import type { LegalMove } from "../types";
import type { Arrow } from "./board-drawing";
import { BoardStack } from "./BoardStack";
import { drawnOn, withDrawn } from "./comments";
import type { Score } from "./Evaluation";
import { KeysHelp } from "./KeysHelp";
import type { TreeInWork } from "./kept-trees";
import { afterMove, type Line } from "./line";
import { useLineWalk } from "./line-walk";
import { MoveInput } from "./MoveInput";
import { PositionField } from "./PositionField";
import { PositionForm } from "./PositionForm";
import { PositionTools } from "./PositionTools";
import { endsOf } from "./squares";
import { annotated, commentAt } from "./tree";
import { Walk } from "./Walk";

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
    const { line, work, flipped, onSetUp } = props;
    const { position } = line;
    const settingUp = props.settingUp && position !== undefined;
    const comment = commentAt(work.tree, work.place);
    const { length, walk, flip } = useLineWalk(props);
    const draw = (arrow: Arrow) => {
        const changes = { comment: withDrawn(comment, arrow) };
        work.change(annotated(work.tree, work.place, changes), work.place);
    };
    const play = (move: LegalMove) => {
        props.onLeave();
        go(afterMove(line, move.uci));
    };
    return (
        <section class="board-side card" aria-label={t("position")}>
            {settingUp ? (
                <PositionForm
                    position={position}
                    variant={line.variant}
                    onDone={() => onSetUp(false)}
                />
            ) : (
                <BoardStack
                    fen={line.fen}
                    orientation={flipped ? "black" : "white"}
                    legal={line.legal}
                    onMove={play}
                    lastMove={line.at > 0 ? endsOf(line.play[line.at - 1]!) : null}
                    check={position?.status === "check" || position?.status === "checkmate"}
                    arrows={[...drawnOn(comment), ...(props.arrow ? [props.arrow] : [])]}
                    onDraw={draw}
                    onWheel={(by) => walk(line.at + by)}
                    score={props.score}
                />
            )}
            <div class="under-board">
                {!settingUp && (
                    <>
                        <Walk at={line.at} length={length} onGo={walk} onFlip={flip} />
                        <MoveInput legal={position ? line.legal : null} onMove={play} />
                    </>
                )}
                <PositionTools line={line} work={work} open={settingUp} onOpen={onSetUp} />
                <div class="tools">
                    <KeysHelp />
                </div>
            </div>
            <PositionField fen={line.fen} variant={line.variant} />
        </section>
    );
}
