"""Hostile sources and build commands see only their own folder, within limits."""

from __future__ import annotations

import os
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludarium.errors import BadOption, PlayerCrashed
from ludarium.players.programs import building
from ludarium.players.programs import sandbox as sandboxes
from ludarium.players.programs.building import Built, build
from ludarium.players.programs.commands import command_of
from ludarium.players.programs.conditions import Conditions
from ludarium.players.programs.sandbox import Choice
from tests.missing import need
from tests.players.programs.test_sandbox import ALL_WAYS, SECRET, left_since, running, use

MAIN = 'int main() { std::puts("played"); }\n'

HOSTILE: dict[str, str] = {
    "embeds a secret": '#include <cstdio>\nasm(".data\\nit: .incbin \\"{ground}/secret\\"\\n.text");\n' + MAIN,
    "includes a secret": '#include <cstdio>\n#include "{ground}/secret"\n' + MAIN,
    "includes another's source": '#include "../bob/bot.cpp"\n',
    "includes another's source by a link": '#include "link.cpp"\n',
    "includes what a macro names": '#define FILE "{ground}/bob/bot.cpp"\n#include FILE\n',
    "asks whether a file exists": '#include <cstdio>\n#if __has_include("{ground}/secret")\n' + MAIN + "#endif\n",
    "includes the judge's variables": '#include "/proc/{judge}/environ"\n',
    "includes zeros without end": '#include "/dev/zero"\n',
    "includes itself": '#include "bot.cpp"\n#include "bot.cpp"\n',
    "is a large array": "#include <cstdio>\nchar large[300 << 20] = {1};\n" + MAIN,
    "is a larger one": "#include <cstdio>\nchar large[3ll << 40] = {1};\n" + MAIN,
    "doubles without end": (
        "#define A(x) B(x x) \n#define B(x) C(x x)\n#define C(x) D(x x)\n#define D(x) E(x x)\n#define E(x) F(x x)\n#define F(x) G(x x)\n"
        "#define G(x) H(x x)\n#define H(x) I(x x)\n#define I(x) x x\n#define J(x) A(A(x))\nJ(A(A(int a[9]={1,2,3,4,5,6};)))\n"
    ),
    "computes without end": (
        "constexpr long f(long n) { long s = 0; for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) s += i ^ j; return s; }\n"
        "#pragma GCC optimize 0\nstatic_assert(f(1000000) > 0);\n"
    ),
    "has templates without end": "template <int n> struct A { A<n + 1> next; A<n + 2> other; };\nA<0> a;\n",
    "complains without end": '#define E _Pragma("message(\\"no\\")")\n' + "E " * 500 + "\n",
}
"""Sources that must not compile."""


class Tournament:
    """A tournament's folder with two students."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("alice", "bob"):
            (folder / name).mkdir(parents=True)
        (folder / "bob/bot.cpp").write_text("#include <cstdio>\n" + MAIN)
        (folder / "bob").chmod(0o700)
        (folder / "secret").write_text(f"// {SECRET}\n")
        (folder / "secret").chmod(0o600)
        (folder / "alice/link.cpp").symlink_to(folder / "bob/bot.cpp")

    def build(self, spec: str, folder: str = ".") -> Built:
        return build(command_of(spec, self.folder / folder), Conditions(sandbox="require"))


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files, and a cache of the test's own. Limits are lower than usual."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    monkeypatch.setattr(building, "MAX_SECONDS", 10.0)
    monkeypatch.setattr(building, "MAX_MEMORY", 256 << 20)
    yield tmp_path / "scratch"
    sandboxes.why_not.cache_clear()


@pytest.fixture
def tournaments(
    request: pytest.FixtureRequest, scale: int, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Tournament]:
    """A tournament in one of the sandboxes; in each of them with ``--soak``. Nothing is left behind."""
    start = zlib.crc32(request.node.name.encode()) % len(ALL_WAYS)
    ways = (ALL_WAYS[start:] + ALL_WAYS[:start])[:scale]
    before = running()

    def each() -> Iterator[Tournament]:
        for number, way in enumerate(ways):
            use(way, monkeypatch)
            yield Tournament(tmp_path / f"tournament-{number}")
            assert left_since(before) == [], way
            assert list(scratch.iterdir()) == [], way

    return each()


def cached(folder: Path) -> int:
    """Return the bytes of the cache."""
    return sum(path.stat().st_size for path in (folder / "cache").rglob("*") if path.is_file())


@pytest.mark.parametrize("attack", HOSTILE)
def test_a_hostile_source_is_refused(attack: str, tournaments: Iterator[Tournament], tmp_path: Path) -> None:
    need("c++", "g++")
    for one in tournaments:
        source = HOSTILE[attack].replace("{ground}", str(one.folder)).replace("{judge}", str(os.getpid()))
        (one.folder / "alice/bot.cpp").write_text(source)
        with pytest.raises(PlayerCrashed, match=r"^crash: \./alice/bot\.cpp cannot be compiled: ") as refused:
            one.build("./alice/bot.cpp")
        told = str(refused.value)
        assert "\n" not in told
        assert len(told) < 700
        assert SECRET not in told
        assert cached(tmp_path) < 1 << 20


@pytest.mark.parametrize("way", ALL_WAYS)
def test_a_source_of_ones_own_compiles(way: str, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("c++", "g++")
    use(way, monkeypatch)
    monkeypatch.setattr(building, "MAX_SECONDS", 60.0)
    one = Tournament(tmp_path / "tournament")
    (one.folder / "alice/parts").mkdir()
    (one.folder / "alice/parts/name.h").write_text('#define NAME "played"\n')
    (one.folder / "alice/bot.cpp").write_text('#include <cstdio>\n#include "parts/name.h"\nint main() { std::puts(NAME); }\n')
    said = subprocess.run(one.build("./alice/bot.cpp").words, capture_output=True, text=True, check=True).stdout
    assert said == "played\n"
    assert list(scratch.iterdir()) == []


def test_rust_embeds_no_secret(tournaments: Iterator[Tournament]) -> None:
    need("rustc", "rustc")
    for one in tournaments:
        (one.folder / "alice/bot.rs").write_text(f'fn main() {{ println!("{{}}", include_str!("{one.folder}/secret")); }}\n')
        with pytest.raises(PlayerCrashed, match="couldn't read"):
            one.build("./alice/bot.rs")


COMMANDS: dict[str, tuple[str, str]] = {
    "reads a secret": ("cat {ground}/secret", "No such file|Permission denied"),
    "reads another's source": ("cat ../bob/bot.cpp", "No such file|Permission denied"),
    "changes another's source": ("echo > ../bob/bot.cpp", "annot create"),
    "writes beside its folder": ("echo > ../new", "annot create|is not a file in"),  # bubblewrap's /tmp is its own
    "writes into a home": ("echo > {home}/.profile-of-a-test", "annot create"),
    "makes a program of root": ("cp /bin/true bot; chmod 4755 bot", "Operation not permitted"),
    "fills the disk": ("for i in 1 2 3 4 5 6 7; do head -c 60000000 /dev/zero > $i; done", "MB of files; 64 are allowed"),
    "writes one large file": ("head -c 100000000 /dev/zero > bot", "exit code|MB of files"),
    "links to another's program": ("ln -s /bin/true bot", "is not a file in"),
    "makes a folder": ("mkdir bot", "is not a file in"),
    "makes a pipe": ("mkfifo bot", "is not a file in"),
    "starts many": ("for i in $(seq 300); do sleep 100 & done; wait", "processes; 64 are allowed|fork"),
    "never ends": ("while :; do :; done", "took more than 10 s"),
    "leaves others behind": ("sleep 1000 & exit 3", "exit code 3|took more than 10 s"),
}
"""Scripts that build nothing good, and what is said of them."""


@pytest.mark.parametrize("attack", COMMANDS)
def test_a_hostile_build_command_is_refused(attack: str, tournaments: Iterator[Tournament]) -> None:
    script, said = COMMANDS[attack]
    for one in tournaments:
        script = script.replace("{ground}", str(one.folder)).replace("{home}", str(Path.home()))
        (one.folder / "alice/build.sh").write_text(f"set -e; cd $(dirname $0)\n{script}\n")
        with pytest.raises(PlayerCrashed, match=rf"cannot be built: .*({said})"):
            one.build("./alice/bot,build=sh alice/build.sh")
        assert (one.folder / "bob/bot.cpp").read_text() == "#include <cstdio>\n" + MAIN
        assert sorted(path.name for path in one.folder.iterdir()) == ["alice", "bob", "secret"]


@pytest.mark.parametrize("way", ALL_WAYS)
@pytest.mark.parametrize(
    ("folder", "spec", "script"),
    [
        (".", "./alice/bot,build=sh alice/build.sh", "cd alice; cp /bin/true bot"),
        (".", "./alice/bot,build=sh -c 'cd alice && sh build.sh'", "cp /bin/true bot; chmod 755 bot; touch made"),
        (".", "./alice/out/bot,build=sh alice/build.sh", "mkdir -p alice/out; cp /bin/true alice/out/bot"),
        ("alice", "./bot,build=sh build.sh", "cp /bin/true bot"),
        ("alice", "./bot,build=sh -c 'cp /bin/true bot'", ""),
        ("bob", "{folder}/alice/bot,build=sh {folder}/alice/build.sh", "cp /bin/true {folder}/alice/bot"),
    ],
)
@pytest.mark.usefixtures("scratch")
def test_a_build_command_writes_into_its_folder(
    folder: str, spec: str, script: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(way, monkeypatch)
    one = Tournament(tmp_path / "tournament")
    (one.folder / "alice/build.sh").write_text(script.replace("{folder}", str(one.folder)))
    subprocess.run(one.build(spec.replace("{folder}", str(one.folder)), folder).words, check=True)


@pytest.mark.parametrize("file", ["credentials.toml", "registry/index"])
def test_keys_of_a_registry_are_hidden(
    file: str, tournaments: Iterator[Tournament], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Downloads in the same folder stay visible."""
    home = tmp_path / "cargo home"
    (home / "registry").mkdir(parents=True)
    (home / file).write_text(SECRET)
    monkeypatch.setenv("CARGO_HOME", str(home))
    for one in tournaments:
        (one.folder / "alice/build.sh").write_text(f"cp /bin/true alice/bot; cat '{home}/{file}' > alice/found; true")
        one.build("./alice/bot,build=sh alice/build.sh")
        assert (one.folder / "alice/found").read_text() == ("" if file == "credentials.toml" else SECRET)


@pytest.mark.parametrize("way", ALL_WAYS)
@pytest.mark.usefixtures("scratch")
def test_cargo_builds_in_its_project(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of the documentation works with and without a folder ``target``."""
    need("cargo", "cargo")
    use(way, monkeypatch)
    monkeypatch.setattr(building, "MAX_SECONDS", 60.0)
    monkeypatch.setattr(building, "MAX_MEMORY", 1 << 30)
    one = Tournament(tmp_path / "tournament")
    (one.folder / "alice/src").mkdir()
    (one.folder / "alice/Cargo.toml").write_text('[package]\nname = "bot"\nversion = "1.0.0"\nedition = "2021"\n')
    (one.folder / "alice/src/main.rs").write_text('fn main() { println!("played"); }\n')
    for _ in range(2):
        built = one.build("./target/release/bot,build=cargo build --release", "alice")
    assert subprocess.run(built.words, capture_output=True, text=True, check=True).stdout == "played\n"


def test_a_build_command_does_not_follow_a_link_out_of_the_tournament(tmp_path: Path) -> None:
    (tmp_path / "carol").mkdir()
    one = Tournament(tmp_path / "tournament")
    (one.folder / "carol").symlink_to(tmp_path / "carol")
    (one.folder / "dave").symlink_to("alice")
    with pytest.raises(BadOption, match=r"carol is a link out of .*, where no build command runs"):
        one.build("./carol/bot,build=make -C carol")
    assert command_of("./dave/bot,build=true", one.folder).folder == one.folder / "alice"


@pytest.mark.parametrize("sandbox", ["off", "auto"])
def test_without_a_sandbox_a_build_command_has_all_variables(
    sandbox: Choice, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may run in a home, too. Otherwise it knows a few variables."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MY_ENGINE", "fast")
    if sandbox == "auto":
        monkeypatch.setattr(sandboxes, "WAYS", {})
        sandboxes.why_not.cache_clear()
    spec = "./bot,build=sh -c 'echo $MY_ENGINE > said; cp /bin/true bot'"
    build(command_of(spec, tmp_path), Conditions(sandbox=sandbox))
    assert (tmp_path / "said").read_text() == "fast\n"
    assert list(scratch.iterdir()) == []


def test_a_build_command_in_a_home_needs_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(BadOption, match=r"its build command would change .*; give the bot a folder of its own, or --sandbox off"):
        Tournament(tmp_path).build("./bot,build=true")
