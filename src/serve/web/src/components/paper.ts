// Canvases on paper.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

// On paper a canvas has another size, and it would be printed before it is drawn again. So an image
// of the canvas in the box is printed.
export function useOnPaper(box: RefObject<HTMLElement>): void {
    useEffect(() => {
        const picture = document.createElement("canvas");
        picture.className = "on-paper";
        const begin = () => {
            const canvas = box.current?.querySelector("canvas");
            if (!canvas) return;
            picture.width = canvas.width;
            picture.height = canvas.height;
            picture.getContext("2d")?.drawImage(canvas, 0, 0);
            box.current!.append(picture);
        };
        const end = () => picture.remove();
        addEventListener("beforeprint", begin);
        addEventListener("afterprint", end);
        return () => {
            removeEventListener("beforeprint", begin);
            removeEventListener("afterprint", end);
            end();
        };
    }, []);
}
