#!/usr/bin/env bash
# Builds libcrypto.a and libssl.a for the portable program, with what a client of TLS 1.2 and 1.3 and the hashes of this
# program need and no more. The toolchain's compilers are found by their bare names, and the sources by a relative path, so
# that no folder of this machine is compiled in. Usage: packaging/openssl.sh x86_64|aarch64 BUILD-FOLDER headers|libraries
set -euo pipefail
target=$1 folder=$2 what=$3
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
cd "$folder"
PATH=$root/deps/portable/tools/$target:$PATH
flags="-O2 -g0 -fPIC -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fomit-frame-pointer"
[ "$target" != x86_64 ] || flags="$flags -fcf-protection=full"
without="shared tests apps docs dso engine legacy module comp ssl3 tls1 tls1_1 dtls srp srtp sctp psk quic cms ts ct cmp ocsp
  http idea camellia seed aria bf cast des dsa gost md4 mdc2 rc2 rc4 rmd160 siphash siv sm2 sm3 sm4 whirlpool blake2 argon2
  ec2m scrypt ui-console async slh-dsa ml-dsa ocb nextprotoneg ssl-trace thread-pool default-thread-pool unstable-qlog"
export CC=cc AR=ar RANLIB=ranlib SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}
sources=$(realpath --relative-to=. "$root/deps/portable/openssl/openssl")
if [ ! -e Makefile ]; then
  # shellcheck disable=SC2046,SC2086
  perl "$sources/Configure" "linux-$target" $(printf 'no-%s ' $without) --prefix=/usr --libdir=lib --openssldir=/etc/ssl $flags >configure.log
fi
case $what in
  headers) wanted=build_generated ;;
  libraries) wanted="libcrypto.a libssl.a" ;;
  *) echo "openssl.sh: unknown '$what': headers or libraries" >&2; exit 2 ;;
esac
# shellcheck disable=SC2086
make -s -j "${JOBS:-$(nproc)}" $wanted >make.log 2>&1 || { tail -20 make.log >&2; exit 1; }
