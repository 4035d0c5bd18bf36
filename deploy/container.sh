#!/bin/sh
# What a container of the wallboard runs: a process of the Procfile by its name, else a command.
set -eu
cd /srv/wallboard
umask 077
mkdir -p "${SPOOL_DIR:-/data/spool}" "${BACKUP_DIR:-/data/backups}"
case "${1:-web}" in
web | worker | beat) exec /bin/sh -c "exec $(sed -n "s/^${1:-web}: //p" Procfile)" ;;
setup) exec python -m wallboard "$@" --no-static ;; # they are in the image
*) exec python -m wallboard "$@" ;;
esac
