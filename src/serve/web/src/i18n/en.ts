// Every word of the page in English. de.ts has the same keys.
export const en = {
    // Shell
    skip: "Skip to content",
    views: "Views",
    explorer: "Explorer",
    games: "Games",
    repetitions: "Repetitions",
    patterns: "Patterns",
    player: "Player",
    novelty: "Novelty",
    language: "Language",
    theme: "Colours",
    themeSystem: "As the system",
    themeLight: "Light",
    themeDark: "Dark",
    databaseSize: "{games} games, {plies} plies",
    loading: "Loading …",
    retry: "Try again",
    unreachable: "The server does not answer.",
    busy: "The server is busy. Try again in a moment.",
    comingSoon: "This view is being built.",
    close: "Close",
};
