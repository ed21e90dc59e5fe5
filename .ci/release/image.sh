#!/usr/bin/env bash
# Makes an image of a tarball, with glibc and certificates and nothing else, runs it, and writes it
# as fendex-VERSION-image-MACHINE.tar beside the tarball (docker load, podman load).
#     .ci/release/image.sh [TARBALL]    (the one in build-release if none is given)
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=.ci/release/common.sh
. .ci/release/common.sh

install_missing buildah ca-certificates
tarball=${1:-$release_build/fendex-$version-linux-$machine.tar.gz}
image=$(dirname "$tarball")/fendex-$version-image-$machine.tar
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

files=$scratch/files
mkdir -p "$files"/{usr,data,tmp,etc/ssl/certs}
chmod 1777 "$files"/{data,tmp}
tar -xzf "$tarball" -C "$files/usr" --strip-components=1 --exclude='*.a'
copy_glibc "$files"
cp /etc/ssl/certs/ca-certificates.crt "$files/etc/ssl/certs"
cat >"$scratch/Dockerfile" <<'END'
FROM scratch
COPY . /
WORKDIR /data
USER 1000
EXPOSE 9002
ENTRYPOINT ["/usr/bin/fendex"]
CMD ["--help"]
END

# With a store of its own, and without the rights that a container of its own would need.
containers() {
    local verb=$1
    shift
    buildah --storage-driver vfs --root "$scratch/store" --runroot "$scratch/run" "$verb" "$@"
}
containers build --quiet --isolation chroot -t "fendex:$version" -f "$scratch/Dockerfile" "$files"
container=$(containers from "fendex:$version")
run() { containers run --isolation chroot "$container" -- /usr/bin/fendex "$@"; }
[[ $(run --version) == "fendex $version" ]]
run import my.db /usr/share/doc/fendex/samples --quiet
run find my.db --moves "1.e4 e5 2.f4 exf4 3.Bc4 Qh4+" | grep -q Anderssen
# Nothing listens there: it must get as far as a refused connection.
refused=$(run info clickhouses://127.0.0.1:1/x 2>&1) && exit 1
grep -qi connect <<<"$refused"

rm -f "$image"
containers push --quiet "fendex:$version" "docker-archive:$image:fendex:$version"
say "$image: $(stat -c %s "$image") bytes"
