#!/usr/bin/env bash
# Installs the wallboard on Debian or Ubuntu, and brings an installation up to date without anybody noticing. Run as root from a clone:
#
#   deploy/install.sh https://wallboard.example.com     for the first time
#   deploy/install.sh                                   upgrade to what the clone holds
#   deploy/install.sh --rollback                        back to the release before; once more, and forward again
#
# Each release has a folder of its own below /srv/wallboard/releases, with its virtual environment and its static files;
# links beside it say which one each process runs. Settings are in /etc/wallboard.env, data in /var/lib/wallboard (SQLite,
# until DATABASE_URL in the settings names PostgreSQL), the processes are systemd units. Settings and data are kept.
set -euo pipefail

program=/srv/wallboard settings=/etc/wallboard.env data=/var/lib/wallboard units=/etc/systemd/system
serving=8000 bridge=8001 # ports of the web process: always, and while the other one changes over
proxies=(/etc/nginx /etc/caddy)
patience=60 settling=1 # seconds for a web process to answer, and for the proxy to see it
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

fail() {
    echo "$*" >&2
    exit 1
}

packages() {
    echo "Packages …"
    apt-get update -qq
    apt-get install --yes -qq --no-install-recommends python3-venv redis-server rsync git curl >/dev/null
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed; this system has $(python3 -V)."
}

own_user() {
    id wallboard >/dev/null 2>&1 || useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin wallboard
    install -d -m 700 -o wallboard -g wallboard "$data" "$data/spool" "$data/backups"
}

as_wallboard() { # COMMAND…: as the program's own user, with its settings and nothing else of this shell
    env -i PATH=/usr/bin:/bin LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 WALLBOARD_ENV_FILE="$settings" \
        setpriv --reuid=wallboard --regid=wallboard --init-groups "$@"
}

manage() { # RELEASE COMMAND…
    (cd "$1" && as_wallboard .venv/bin/python manage.py "${@:2}")
}

requirements() { # RELEASE
    python3 -m venv "$1/.venv"
    "$1/.venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$1/requirements.txt"
}

unpack() { # RELEASE: what the clone holds, without what git does not know
    install -d -m 755 "$1"
    git -C "$source" ls-files -z | rsync --archive --from0 --files-from=- --no-owner --no-group "$source/" "$1/"
    requirements "$1"
}

write_settings() { # RELEASE URL
    local new
    new=$(mktemp)
    sed -e "s|^SECRET_KEY=.*|SECRET_KEY=$(python3 -c 'import secrets; print(secrets.token_urlsafe(48))')|" \
        -e "s|^TOKEN_KEYS=.*|TOKEN_KEYS=$("$1/.venv/bin/python" "$1/manage.py" newkey)|" \
        -e "s|^PUBLIC_URL=.*|PUBLIC_URL=$2|" \
        -e "s|^DATABASE_URL=.*|DATABASE_URL=sqlite:///$data/wallboard.sqlite3|" \
        -e "s|^SPOOL_DIR=.*|SPOOL_DIR=$data/spool|" \
        -e "s|^BACKUP_DIR=.*|BACKUP_DIR=$data/backups|" \
        -e "s|^TRUSTED_PROXIES=.*|TRUSTED_PROXIES=1|" \
        -e "s|^PROVIDER_BASE_URL=.*|PROVIDER_BASE_URL=|" "$source/.env.example" >"$new"
    install -m 640 -o root -g wallboard "$new" "$settings"
    rm "$new"
}

collect() { # RELEASE: its static files, which from then on nobody but root can change
    install -d -o wallboard -g wallboard "$1/collected"
    (cd "$1" && as_wallboard env STATIC_ROOT="$1/collected" .venv/bin/python manage.py collectstatic --noinput --verbosity 0)
    chown -R root:root "$1/collected"
    share_files "$1" "$1"
}

share_files() { # FROM TO: the second release serves what pages of the first ask for, too; the names carry their content's hash
    rsync --archive --ignore-existing "$1/collected/" "$2/staticfiles/"
}

link() { # RELEASE NAME
    ln -sfn "$1" "$program/$2.new" && mv -T "$program/$2.new" "$program/$2"
}

running() { # NAME: the release that a link names; nothing without one
    readlink "$program/$1" || true
}

has_systemd() { [ -d /run/systemd/system ]; }

status() { # PORT PATH: of a web process's answer; 000 where nothing answers
    curl --silent --output /dev/null --write-out '%{http_code}' --max-time 5 "http://127.0.0.1:$1$2" || true
}

wait_for() { # PORT READY: until it answers, and is ready where the one before it was (200): without a provider none is
    local end=$((SECONDS + patience))
    until [ "$(status "$1" /healthz)" = 200 ] && { [ "$2" != 200 ] || [ "$(status "$1" /readyz)" = 200 ]; }; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.2
    done
    sleep "$settling" # a proxy that found nobody at that port sees it within half a second
}

know_both_ports() { # a proxy of this machine that knows one alone would have nobody to ask in between
    ! grep -rqsE "^[^#]*127\.0\.0\.1:$serving" "${proxies[@]}" || grep -rqsE "^[^#]*127\.0\.0\.1:$bridge" "${proxies[@]}"
}

turn_to() { # RELEASE: the proxy finds it at the second port while the first changes over; one of them always answers
    local ready
    ready=$(status "$serving" /readyz)
    systemctl stop "wallboard-web@$bridge"
    link "$1" "web-$bridge"
    systemctl start "wallboard-web@$bridge"
    if ! wait_for "$bridge" "$ready"; then
        systemctl stop "wallboard-web@$bridge"
        install_units "$(running current)"
        fail "It does not get ready (journalctl -u wallboard-web@$bridge): the release from before goes on serving."
    fi
    systemctl stop "wallboard-web@$serving" # it finishes what it has in hand
    link "$1" "web-$serving"
    systemctl start "wallboard-web@$serving"
    wait_for "$serving" "$ready" || fail "It serves at port $bridge alone, and not at $serving: journalctl -u wallboard-web@$serving"
    systemctl stop "wallboard-web@$bridge"
    systemctl stop wallboard-beat wallboard-worker
    link "$(running current)" previous
    link "$1" current
    systemctl start wallboard-worker wallboard-beat
}

first_start() { # RELEASE
    retire_single_web
    link "$1" "web-$serving"
    link "$1" current
    has_systemd || return 0
    systemctl enable --quiet --now redis-server wallboard-watch.timer wallboard-backup.timer
    systemctl enable --quiet --now "wallboard-web@$serving" wallboard-worker wallboard-beat
    wait_for "$serving" 000 || fail "It does not answer: journalctl -u wallboard-web@$serving"
}

retire_single_web() { # of an installation from before there were releases side by side; this once there is a gap
    [ -e "$units/wallboard-web.service" ] || return 0
    if has_systemd; then systemctl disable --quiet --now wallboard-web wallboard-worker wallboard-beat; fi
    rm "$units/wallboard-web.service"
    sed -i "s|^STATIC_ROOT=$data/static\$|STATIC_ROOT=|" "$settings"
    find "$program" -mindepth 1 -maxdepth 1 ! -name releases -exec rm -rf {} +
}

install_units() {
    cp -r "$1/deploy/systemd/." "$units/"
    if has_systemd; then systemctl daemon-reload; fi
}

prune() { # all but the release that runs and the one before it
    local each
    for each in "$program"/releases/*; do
        [ "$each" = "$(running current)" ] || [ "$each" = "$(running previous)" ] || rm -rf "$each"
    done
}

upgrade() { # URL
    local before release
    release=$program/releases/$(date -u +%Y%m%d-%H%M%S)-$(git -C "$source" rev-parse --short HEAD)
    echo "Program …"
    own_user
    unpack "$release"
    [ -e "$settings" ] || write_settings "$release" "$1"
    chown root:wallboard "$settings" # copied from another machine, it would be root's alone
    chmod 640 "$settings"
    collect "$release"
    before=$(running current)
    [ -z "$before" ] || share_files "$before" "$release"
    echo "Database …"
    [ -n "$before" ] || [ ! -e "$program/manage.py" ] || before=$program # from before there were releases side by side
    [ -z "$before" ] || manage "$release" migrate --check >/dev/null 2>&1 || manage "$before" backup --keep 14
    manage "$release" setup --no-static
    echo "Processes …"
    install_units "$release"
    if [ -n "$(running current)" ] && has_systemd; then turn_to "$release"; else first_start "$release"; fi
    prune
}

rollback() {
    local release before
    release=$(running previous) before=$(running current)
    [ -n "$release" ] || fail "There is no release before this one."
    has_systemd || fail "systemd does not run here, so nothing does."
    share_files "$before" "$release"
    install_units "$release"
    turn_to "$release" # the database stays as it is: every release works with what the next one made of it
}

main() {
    export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive # the system's Python, not one of root's own
    umask 022
    case "${1:-}" in
        "" | --rollback | http://?* | https://?*) ;;
        *) fail "Say nothing for an upgrade, --rollback to go back, or for the first time where people will reach the site: https://wallboard.example.com" ;;
    esac
    [ "$(id -u)" = 0 ] || fail "Run it as root."
    command -v apt-get >/dev/null || fail "This is for Debian and Ubuntu. README.md says what to do elsewhere."
    [ -e "$settings" ] || [ -n "${1:-}" ] || fail "Say where people will reach the site: deploy/install.sh https://wallboard.example.com"
    [ "${source#"$program"}" = "$source" ] || fail "Run it from a clone elsewhere: $program is what it writes to."
    know_both_ports || fail "Let the proxy ask 127.0.0.1:$bridge, too, where $serving does not answer (docs/nginx.conf, deploy/Caddyfile)."
    install -d -m 755 "$program"
    exec 9<"$program"
    flock --nonblock 9 || fail "It runs already."
    if [ "${1:-}" = --rollback ]; then
        rollback
        echo "Done: $(running current) runs."
        return
    fi
    packages
    upgrade "${1:-}"
    has_systemd || echo "systemd does not run here: the units are in $units, and nothing was started."
    echo
    echo "Done: $(running current) runs. Put a proxy in front (docs/nginx.conf or deploy/Caddyfile), and open the address of the"
    echo "first administrator where one stands above; it works once and for an hour, and running this again prints another."
    echo "What is still missing: cd $program/current && sudo -u wallboard WALLBOARD_ENV_FILE=$settings .venv/bin/python manage.py doctor"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then main "$@"; fi
