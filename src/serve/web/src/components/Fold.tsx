// The button that folds and unfolds what is below a move.
export function Fold(props: { open: boolean; label: string; onToggle: (open: boolean) => void }) {
    return (
        <button
            type="button"
            class="fold"
            aria-expanded={props.open}
            aria-label={props.label}
            onClick={() => props.onToggle(!props.open)}
        />
    );
}
