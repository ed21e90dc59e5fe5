// A picture of a board that needs no other file: an SVG with its own drawings of the pieces.
import { piecesUrl } from "./piece-set";
import { cellOf, piecesOf, spriteName, type Side } from "./squares";

export async function boardPicture(fen: string, orientation: Side): Promise<string> {
    const sprite = new DOMParser().parseFromString(
        await (await fetch(piecesUrl())).text(),
        "image/svg+xml",
    );
    let squares = "";
    for (let index = 0; index < 64; index++) {
        const [x, y] = [index % 8, Math.floor(index / 8)];
        const fill = (x + y) % 2 === 0 ? "#f0e8d8" : "#a9b8a8";
        squares += `<rect x="${x * 40}" y="${y * 40}" width="40" height="40" fill="${fill}"/>`;
    }
    const pieces = Object.entries(piecesOf(fen)).map(([square, piece]) => {
        const [x, y] = cellOf(square, orientation);
        const drawing = sprite.getElementById(spriteName(piece))?.innerHTML ?? "";
        return `<g transform="translate(${x * 40} ${y * 40})">${drawing}</g>`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="640" height="640">${squares}${pieces.join("")}</svg>\n`;
}
