// Small drawings for buttons, and buttons with nothing but a drawing. Drawings have no text: the
// button has the words.
const paths = {
    start: "M6 5v14M18 6l-8 6 8 6z",
    back: "M15 6l-7 6 7 6z",
    forward: "M9 6l7 6-7 6z",
    end: "M18 5v14M6 6l8 6-8 6z",
    flip: "M8 19V6M4.5 9.5 8 6l3.5 3.5M16 5v13M12.5 14.5 16 18l3.5-3.5",
    promote: "M12 20V5M6 11l6-6 6 6",
    remove: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
    copy: "M9 8h11v13H9zM15 8V3H4v13h5",
    link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    settings:
        "M4 7h9M19 7h1M4 17h1M11 17h9M16 4a3 3 0 1 0 0 6 3 3 0 1 0 0-6zM8 14a3 3 0 1 0 0 6 3 3 0 1 0 0-6z",
    colours: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
    language: "M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18",
    board: "M4 4h16v16H4zM4 12h16M12 4v16",
    pieces: "M12 4a3 3 0 1 0 0 6 3 3 0 1 0 0-6zM10 10h4l2 7H8zM7 17h10v3H7z",
    previousGame: "M12 5l-7 7 7 7zM19 5l-7 7 7 7z",
    nextGame: "M12 5l7 7-7 7zM5 5l7 7-7 7z",
    restart: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
    bringBack: "M4 10h10a5 5 0 0 1 0 10H9M8 6l-4 4 4 4",
    keys: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1.1.6-1.5 1.2-1.5 2.6M12 18.4v.6",
    close: "M6 6l12 12M18 6 6 18",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
    return (
        <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
            <path d={paths[name]} />
        </svg>
    );
}

export function IconButton(props: {
    label: string;
    icon: IconName;
    disabled?: boolean;
    onClick: () => void;
}) {
    return (
        <button
            type="button"
            title={props.label}
            aria-label={props.label}
            disabled={props.disabled}
            onClick={props.onClick}
        >
            <Icon name={props.icon} />
        </button>
    );
}
