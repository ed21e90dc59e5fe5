// Alle Wörter der Seite auf Deutsch, mit den Schlüsseln von en.ts.
import type { Words } from ".";

export const de: Words = {
    // Rahmen
    skip: "Zum Inhalt springen",
    views: "Ansichten",
    explorer: "Eröffnungen",
    games: "Partien",
    repetitions: "Wiederholungen",
    patterns: "Muster",
    player: "Spieler",
    novelty: "Neuerungen",
    language: "Sprache",
    theme: "Farben",
    themeSystem: "Wie das System",
    themeLight: "Hell",
    themeDark: "Dunkel",
    databaseSize: "{games} Partien, {plies} Halbzüge",
    loading: "Lädt …",
    retry: "Erneut versuchen",
    unreachable: "Der Server antwortet nicht.",
    busy: "Der Server ist ausgelastet. Bitte gleich noch einmal versuchen.",
    comingSoon: "Diese Ansicht entsteht gerade.",
    close: "Schließen",
};
