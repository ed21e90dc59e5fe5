// build.mjs replaces these names by their values.
declare const PIECES_URL: string;
declare const PLAIN_PIECES_URL: string;
declare const MARKS_URL: string;
declare const LICENCES_URL: string;

declare module "*.css";
