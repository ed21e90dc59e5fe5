// The rights to castle of a position that is set up.
import { t, type Word } from "../../i18n";

export const kFlags = ["K", "Q", "k", "q"] as const;
export type Flag = (typeof kFlags)[number];
const kWords: Record<Flag, Word> = {
    K: "whiteShort",
    Q: "whiteLong",
    k: "blackShort",
    q: "blackLong",
};

export function CastlingFlags(props: {
    flags: readonly Flag[];
    onChange: (flags: readonly Flag[]) => void;
}) {
    const { flags, onChange } = props;
    return (
        <fieldset class="flags">
            <legend>{t("castling")}</legend>
            {kFlags.map((flag) => (
                <label key={flag}>
                    <input
                        type="checkbox"
                        checked={flags.includes(flag)}
                        onChange={(event) =>
                            onChange(
                                event.currentTarget.checked
                                    ? [...flags, flag]
                                    : flags.filter((one) => one !== flag),
                            )
                        }
                    />{" "}
                    {t(kWords[flag])}
                </label>
            ))}
        </fieldset>
    );
}
