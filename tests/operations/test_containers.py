"""The image and what runs it: each step names what exists; compose and Kubernetes close the same processes off."""

import re
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from wallboard.demo.processes import BASE_DIR

DEPLOY = BASE_DIR / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
KUBERNETES = DEPLOY / "kubernetes"
PROCESSES = ("web", "worker", "beat")
VERSIONS = ("1.29", "1.37")  # of Kubernetes: the oldest and the newest that are looked at
BY_COMPOSE = {"POSTGRES_PASSWORD", "WALLBOARD_RELEASE"}  # in deploy/.env: no settings of the wallboard
SERVICE_OF = {"web": ("web-a", "web-b"), "worker": ("worker",), "beat": ("beat",), "setup": ("setup",)}


def settings() -> set[str]:
    """The names that .env.example explains."""
    return set(re.findall(r"^#?\s?([A-Z_]+)=", (BASE_DIR / ".env.example").read_text(), re.MULTILINE))


def documents() -> list[dict[str, Any]]:
    """Everything that the manifests would create."""
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]
    return [each for name in listed for each in yaml.safe_load_all((KUBERNETES / name).read_text())]


def pods() -> dict[str, dict[str, Any]]:
    """The pods that the manifests run, by the component that they are."""
    found = {}
    for each in documents():
        spec = each.get("spec", {})
        template = spec.get("template") or spec.get("jobTemplate", {}).get("spec", {}).get("template")
        if template:
            found[template["metadata"]["labels"]["app.kubernetes.io/component"]] = template["spec"]
    return found


def containers(pod: dict[str, Any]) -> list[dict[str, Any]]:
    """The containers of a pod, those of its beginning included."""
    return [*pod.get("initContainers", []), *pod["containers"]]


def test_the_image_takes_only_files_that_exist() -> None:
    copied = re.findall(r"(?m)^COPY (?!--from)(.+) \S+$", CONTAINERFILE)
    names = [name for line in copied for name in line.split()]

    assert {"requirements.txt", "manage.py", "wallboard", "accounts", "templates", "static"} <= set(names)
    assert [name for name in names if not (BASE_DIR / name).exists()] == []


def test_the_image_runs_without_root_and_from_locked_requirements() -> None:
    assert re.search(r"(?m)^USER 10001:10001$", CONTAINERFILE)
    assert "--require-hashes -r /requirements.txt" in CONTAINERFILE
    assert set(re.findall(r"\b([A-Z_]+)=", CONTAINERFILE)) - settings() == {
        *("BASE", "DEBIAN_FRONTEND", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "LANG")
    }


@pytest.mark.parametrize(
    ("word", "started"),
    [
        ("web", "daphne -b 0.0.0.0 -p 8123"),
        ("worker", "celery -A wallboard worker"),
        ("beat", "celery -A wallboard beat"),
        ("setup", "python -m wallboard setup --no-static"),
        ("doctor", "python -m wallboard doctor --json"),
    ],
)
def test_a_container_runs_a_process_of_the_procfile_or_a_command(word: str, started: str, tmp_path: Path) -> None:
    script = (DEPLOY / "container.sh").read_text().replace("/srv/wallboard", str(BASE_DIR))
    for name in ("daphne", "celery", "python"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$@"\n')
        (tmp_path / name).chmod(0o755)
    folders = {"SPOOL_DIR": str(tmp_path / "spool"), "BACKUP_DIR": str(tmp_path / "backups")}
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PORT": "8123", **folders}
    command = ["/bin/sh", "-c", script, "container.sh", word, *(["--json"] if word == "doctor" else [])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20)

    assert done.stdout.startswith(started), done.stderr
    assert all(Path(folder).stat().st_mode & 0o777 == 0o700 for folder in folders.values())


def test_compose_builds_the_image_and_runs_each_process_once() -> None:
    for command, names in SERVICE_OF.items():
        for name in names:
            build = SERVICES[name]["build"]
            assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Containerfile")
            assert SERVICES[name]["command"] == [command]
            assert "deploy" not in SERVICES[name]
            assert SERVICES[name].get("profiles") == (["upgrade"] if name == "web-b" else None)


def test_compose_closes_the_processes_off() -> None:
    for service in (SERVICES[name] for names in SERVICE_OF.values() for name in names):
        assert (service["read_only"], service["cap_drop"], service["user"]) == (True, ["ALL"], "10001:10001")
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "web-a": ["127.0.0.1:8000:8000"],
        "web-b": ["127.0.0.1:8001:8000"],
    }


def test_what_compose_names_exists() -> None:
    for name, service in SERVICES.items():
        assert set(service.get("depends_on", {})) <= SERVICES.keys()
        volumes = {text.split(":")[0] for text in service.get("volumes", [])}
        assert volumes <= COMPOSE["volumes"].keys()
        for other, how in service.get("depends_on", {}).items():
            assert how["condition"] != "service_healthy" or "healthcheck" in SERVICES[other], (
                f"{name} waits for {other}"
            )
    assert set(SERVICES["web-a"]["environment"]) <= settings()
    assert set(re.findall(r"\$\{([A-Z_]+)", (DEPLOY / "compose.yaml").read_text())) == BY_COMPOSE


def test_the_documented_upgrade_names_services_and_changes_them_in_the_order_that_leaves_one_serving() -> None:
    text = (BASE_DIR / "docs" / "operating.md").read_text()
    commands = re.findall(r"(?m)^    compose (\w+) ((?:--[a-z-]+ )*)([a-z -]+?)(?: --keep 14)?(?: +#.*)?$", text)

    assert [(command, services) for command, _options, services in commands] == [
        *(("run", "setup backup"), ("build", "setup"), ("run", "setup")),
        *(("up", "web-b"), ("up", "web-a"), ("rm", "web-b"), ("up", "worker beat")),
    ]
    assert all("--no-deps" in options for command, options, _services in commands if command in ("run", "up"))


def test_compose_and_kubernetes_ask_each_process_whether_it_is_alive() -> None:
    for name in PROCESSES:
        question = ["python", "-m", "wallboard.operations.healthcheck", name]
        assert {tuple(SERVICES[each]["healthcheck"]["test"]) for each in SERVICE_OF[name]} == {("CMD", *question)}
        (container,) = pods()[name]["containers"]
        if name != "web":
            assert container["livenessProbe"]["exec"]["command"] == question
        assert {"startupProbe", "livenessProbe"} <= container.keys()
    (web,) = pods()["web"]["containers"]
    probes = ("startupProbe", "livenessProbe", "readinessProbe")
    assert {web[probe]["httpGet"]["path"] for probe in probes} == {"/healthz"}


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_accepts_every_manifest(version: str) -> None:
    for each in documents():
        kubernetes_validate.validate(each, version, strict=True)


def test_the_schemas_find_what_is_wrong() -> None:
    """Else nobody would notice that they are not looked at."""
    (wrong,) = [each for each in documents() if each["kind"] == "StatefulSet"]
    wrong["spec"]["replicas"] = "two"

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[0], strict=True)


def test_every_manifest_is_listed() -> None:
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]

    assert {path.name for path in KUBERNETES.glob("*.yaml")} == {"kustomization.yaml", *listed}


def test_pods_are_closed_off() -> None:
    assert set(pods()) == {*PROCESSES, "backup"}
    for pod in pods().values():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in containers(pod):
            security = container["securityContext"]
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert (security["readOnlyRootFilesystem"], security["allowPrivilegeEscalation"]) == (True, False)
            assert "memory" in container["resources"]["limits"]
            assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}


def test_only_pods_that_make_backups_look_for_them() -> None:
    (shared,) = [each["data"] for each in documents() if each["kind"] == "ConfigMap"]
    named = {name for name, pod in pods().items() for each in containers(pod) if "BACKUP_DIR" in str(each.get("env"))}

    assert shared["BACKUP_DIR"] == "", "that of the image would hold none"
    assert named == {"backup"}


def test_there_is_one_beat_and_never_two() -> None:
    (beat,) = [each for each in documents() if each["metadata"]["name"] == "wallboard-beat"]

    assert (beat["spec"]["replicas"], beat["spec"]["strategy"]) == (1, {"type": "Recreate"})


def test_what_manifests_refer_to_exists() -> None:
    everything = documents()
    names = {(each["kind"], each["metadata"]["name"]) for each in everything}
    (service,) = [each for each in everything if each["kind"] == "Service"]
    (web,) = [each for each in everything if each["kind"] == "StatefulSet"]
    (ingress,) = [each for each in everything if each["kind"] == "Ingress"]
    (backend,) = [path["backend"] for rule in ingress["spec"]["rules"] for path in rule["http"]["paths"]]

    assert service["spec"]["selector"] == web["spec"]["template"]["metadata"]["labels"]
    assert backend["service"] == {"name": service["metadata"]["name"], "port": {"name": "http"}}
    for pod in pods().values():
        assert ("ServiceAccount", pod["serviceAccountName"]) in names
        for volume in pod["volumes"]:
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            assert claim is None or ("PersistentVolumeClaim", claim) in names
    for settings_map in (each for each in everything if each["kind"] == "ConfigMap"):
        assert set(settings_map["data"]) <= settings()
