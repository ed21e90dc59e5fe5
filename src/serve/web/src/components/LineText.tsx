// A line as text, in which no move is broken: "O-O" could be.
import { lineText } from "./moves";

export function LineText({ line }: { line: string }) {
    return (
        <>
            {lineText(line)
                .split(" ")
                .map((move, n) => (
                    <>
                        {n > 0 && " "}
                        <span class="unbroken">{move}</span>
                    </>
                ))}
        </>
    );
}
