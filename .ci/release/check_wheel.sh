#!/usr/bin/env bash
# Installs a wheel into an empty environment, without a network, and asks a question there.
#     .ci/release/check_wheel.sh [WHEEL]    (the one in build-release if none is given)
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=.ci/release/common.sh
. .ci/release/common.sh
of_system=$of_wheel_systems

install_missing python3-venv mypy
wheels=("$release_build/fendex-$version-"*"_$machine.whl")
wheel=$(realpath "${1:-${wheels[0]}}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$release_build/src/fendex" import "$scratch/my.db" samples --quiet
cd "$scratch"
python3 -m venv venv
venv/bin/pip --disable-pip-version-check --quiet install --no-index --no-deps "$wheel"

cat >ask.py <<'END'
import fendex

games = [game["black"] for game in fendex.open("my.db").games(white="capablanca", sort="date")]
assert games == ["Tartakower, Savielly", "Marshall, Frank James", "Lasker, Emanuel"], games
END
# Without the variables that name libraries.
env -i venv/bin/python ask.py
package=$(echo venv/lib/python3*/site-packages/fendex)
for path in $(libraries_of "$package"/*.so*); do
    if [[ $(realpath "$path") != $(realpath "$package")/* ]]; then
        say "$path is not in the wheel"
        exit 1
    fi
done
venv/bin/python -m pip --disable-pip-version-check check
mypy --strict --python-executable venv/bin/python -c 'import fendex
print([game["white"] for game in fendex.open("my.db").find(moves="1.e4", since=2000)])'
if mypy --strict --python-executable venv/bin/python -c 'import fendex
fendex.open("my.db").find(moves=1)'; then
    say "mypy does not see the hints"
    exit 1
fi
say "$(basename "$wheel") works: $(stat -c %s "$wheel") bytes"
