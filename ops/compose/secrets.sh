#!/bin/sh
# Makes the secrets of compose.yaml in the folder secrets, each for the user of the container that reads it. What is
# there already stays. Run it as root: files are given to other users.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# PostgreSQL's image reads its password as root.
[ -s database-password ] || random > database-password
[ -s database-url ] || printf 'postgres://hailstone:%s@database/hailstone\n' "$(cat database-password)" > database-url
# Any 32 bytes are a key; `hailstone wallet new --plain` makes the same kind of file.
[ -s miner-key ] || random > miner-key
[ -s health-token ] || random > health-token
[ -s prometheus-token ] || cp health-token prometheus-token
chown 65532:65532 database-url miner-key health-token
# Prometheus runs as nobody.
chown 65534:65534 prometheus-token
chmod 400 database-password database-url miner-key health-token prometheus-token
