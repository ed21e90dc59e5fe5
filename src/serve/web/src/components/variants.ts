// The variants, as the API and people call them.
export const kVariants: [string, string][] = [
    ["standard", "Standard"],
    ["chess960", "Chess960"],
    ["crazyhouse", "Crazyhouse"],
    ["3check", "Three-check"],
    ["kingofthehill", "King of the Hill"],
    ["atomic", "Atomic"],
    ["antichess", "Antichess"],
    ["suicide", "Suicide"],
    ["losers", "Losers"],
    ["horde", "Horde"],
    ["racingkings", "Racing Kings"],
];
