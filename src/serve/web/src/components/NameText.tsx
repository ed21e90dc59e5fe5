// A player's name. A long one may go on in a second line after its comma.
export function NameText({ name }: { name: string }) {
    return (
        <>
            {name.split(/(?<=,)/).map((part, n) => (
                <>
                    {n > 0 && <wbr />}
                    {part}
                </>
            ))}
        </>
    );
}
