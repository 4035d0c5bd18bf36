#!/usr/bin/env bash
# Installs the wallboard on Debian or Ubuntu, or brings an installation up to date. Run as root from a clone:
#
#   deploy/install.sh https://wallboard.example.com
#
# The program goes to /srv/wallboard, its settings to /etc/wallboard.env, its data to /var/lib/wallboard (SQLite, until
# DATABASE_URL in the settings names PostgreSQL), and its processes become systemd units. A second run keeps settings and data.
set -euo pipefail
export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive  # the system's Python, not one of root's own

program=/srv/wallboard settings=/etc/wallboard.env data=/var/lib/wallboard units=/etc/systemd/system
source=$(cd "$(dirname "$0")/.." && pwd)
url=${1:-}

fail() {
    echo "$*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail "Run it as root."
command -v apt-get >/dev/null || fail "This is for Debian and Ubuntu. README.md says what to do elsewhere."
[ -e "$settings" ] || [ -n "$url" ] || fail "Say where people will reach the site: deploy/install.sh https://wallboard.example.com"
[ "$source" != "$program" ] || fail "Run it from a clone elsewhere: $program is what it writes to."

echo "Packages …"
apt-get update -qq
apt-get install --yes -qq --no-install-recommends python3-venv redis-server rsync git >/dev/null
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed; this system has $(python3 -V)."

echo "Program …"
id wallboard >/dev/null 2>&1 || useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin wallboard
install -d -m 755 "$program"
install -d -m 700 -o wallboard -g wallboard "$data"
git -C "$source" ls-files -z | rsync --archive --delete --from0 --files-from=- --no-owner --no-group "$source/" "$program.new/"
rsync --archive --delete --exclude=/.venv --exclude=/staticfiles "$program.new/" "$program/"
rm -rf "$program.new"
[ -x "$program/.venv/bin/pip" ] || python3 -m venv "$program/.venv"
"$program/.venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$program/requirements.txt"

manage() { # as the program's own user, with its settings and nothing else of this shell
    (cd "$program" && env -i PATH=/usr/bin:/bin LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 WALLBOARD_ENV_FILE="$settings" \
        setpriv --reuid=wallboard --regid=wallboard --init-groups .venv/bin/python manage.py "$@")
}

if [ ! -e "$settings" ]; then
    echo "Settings …"
    new=$(mktemp)
    sed -e "s|^SECRET_KEY=.*|SECRET_KEY=$(python3 -c 'import secrets; print(secrets.token_urlsafe(48))')|" \
        -e "s|^TOKEN_KEYS=.*|TOKEN_KEYS=$("$program/.venv/bin/python" "$program/manage.py" newkey)|" \
        -e "s|^PUBLIC_URL=.*|PUBLIC_URL=$url|" \
        -e "s|^DATABASE_URL=.*|DATABASE_URL=sqlite:///$data/wallboard.sqlite3|" \
        -e "s|^STATIC_ROOT=.*|STATIC_ROOT=$data/static|" \
        -e "s|^SPOOL_DIR=.*|SPOOL_DIR=$data/spool|" \
        -e "s|^BACKUP_DIR=.*|BACKUP_DIR=$data/backups|" \
        -e "s|^TRUSTED_PROXIES=.*|TRUSTED_PROXIES=1|" \
        -e "s|^PROVIDER_BASE_URL=.*|PROVIDER_BASE_URL=|" "$source/.env.example" >"$new"
    install -m 640 -o root -g wallboard "$new" "$settings"
    rm "$new"
fi
install -d -m 700 -o wallboard -g wallboard "$data/spool" "$data/backups"

echo "Processes …"
cp -r "$program/deploy/systemd/." "$units/"
manage setup
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable --quiet --now redis-server wallboard-watch.timer wallboard-backup.timer
    systemctl enable --quiet wallboard-web wallboard-worker wallboard-beat
    systemctl restart wallboard-web wallboard-worker wallboard-beat
else
    echo "systemd does not run here: the units are in $units, and nothing was started."
fi
echo
echo "Done. Put a proxy in front ($program/docs/nginx.conf), then open the address of the first administrator that stands"
echo "above; it works once and for an hour, and running this again prints another. What is still missing: cd $program && sudo -u wallboard WALLBOARD_ENV_FILE=$settings .venv/bin/python manage.py doctor"
