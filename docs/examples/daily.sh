#!/usr/bin/env bash
# The daily run, in the project's folder and its environment; for cron:
#   15 6 * * *  cd /srv/hotelmind && . .venv/bin/activate && docs/examples/daily.sh >> logs/daily.log 2>&1
# Each command is tried up to three times, since every one of them may be repeated. One that fails for good stops none of
# the others, and makes the exit code 1. While a run is at work, a second one ends at once.
set -u
mkdir -p logs
exec 9> logs/daily.lock
flock --nonblock 9 || { echo "daily: the run before is still at work" >&2; exit 1; }

failed=0
try() {
    local wait code
    for wait in ${WAITS:-0 300 900}; do
        sleep "$wait"
        "$@" 9>&- && return
        code=$?
        # Wrong settings do not mend themselves.
        [ "$code" -eq 2 ] && [ "$1" = python ] && break
    done
    echo "daily: gave up: $*" >&2
    failed=1
}

try python -m loaders.gladly --quiet
try python -m loaders.operational --quiet
try dbt --quiet build
try python -m loaders.stage prune --older-than 14d
exit "$failed"
