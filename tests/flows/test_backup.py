"""An installation is lost with everything in it but its backup and its keys, and is live again."""

from pathlib import Path

import psycopg
import pytest

from tests.harness.site import SERVED, Site, running_site

pytestmark = pytest.mark.timeout(300)  # two installations, one after the other
PASSPHRASE = "correct horse battery"
WHO = "from accounts.models import Person; print(*Person.objects.values_list('extension', 'role'))"


def refusal(site: Site, *arguments: str) -> str:
    """What manage.py says when it refuses."""
    done = site.commands.run(*arguments)
    assert done.returncode, done.stdout
    return done.stderr


def lose_everything(site: Site) -> None:
    """Stop all of it; an empty database and an empty Redis are left."""
    for name in (*SERVED, "redis"):
        site.children[name].stop()
    url = site.env["DATABASE_URL"]
    if url.startswith("postgres"):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
    else:
        for file in site.folder.glob("site.sqlite3*"):
            file.unlink()
    site.start_redis()


def test_what_was_lost_is_live_again_from_its_backup(tmp_path: Path) -> None:
    backups, keys, passphrase = tmp_path / "backups", tmp_path / "keys", tmp_path / "passphrase"
    passphrase.write_text(PASSPHRASE)
    (tmp_path / "site").mkdir()
    with running_site(tmp_path / "site", {"load": 0}, {}) as site:
        site.manage("person", "101", "--role", "supervisor")
        before = site.manage("shell", "-c", WHO)
        made = site.manage("backup", str(backups), "--keys", str(keys), "--passphrase-file", str(passphrase))
        assert "rows" in made

        assert "can be restored" in site.manage("restore", str(backups), "--drill")
        assert "holds a company already" in refusal(site, "restore", str(backups))
        assert "Stop web, worker and beat" in refusal(site, "restore", str(backups), "--replace")
        assert site.is_ready()

        lose_everything(site)
        opened = site.manage("open_keys", str(keys), "--passphrase-file", str(passphrase)).splitlines()
        assert opened == [f"SECRET_KEY={site.env['SECRET_KEY']}", f"TOKEN_KEYS={site.env['TOKEN_KEYS']}"]
        assert "Every secret opens." in site.manage("restore", str(backups))
        site.heal()

        assert site.manage("shell", "-c", WHO) == before
        assert "101" in before
