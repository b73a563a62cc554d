"""Compiled bots are what their files say now, and are compiled again only if something has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludarium.players.programs import building
from ludarium.players.programs.building import Built, build
from ludarium.players.programs.commands import command_of
from ludarium.players.programs.conditions import USUAL, Conditions
from ludarium.players.programs.pool import Pool
from tests.missing import need

PRINTS = '#include <stdio.h>\n#include "eval.h"\nint main() { puts(NAME); }\n'

PACKAGES = {"c++": "g++", "javac": "default-jdk-headless", "rustc": "rustc"}
"""Debian's packages, by compiler."""

Change = Callable[[Path, pytest.MonkeyPatch], None]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "ludarium" / "programs"


def need_compiler(compiler: str) -> None:
    need(compiler, PACKAGES[compiler])


def built(folder: Path, name: str = "bot.cpp") -> Built:
    return build(command_of(f"./{name}", folder), USUAL)


def said(folder: Path, name: str = "bot.cpp") -> str:
    """Build a program, and return what it prints."""
    return subprocess.run(built(folder, name).words, capture_output=True, text=True, check=True).stdout.strip()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def a_header(name: str) -> str:
    return f'#define NAME "{name}"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A bot whose source includes a header."""
    folder = tmp_path / "my bot $1"
    write(folder / "bot.cpp", PRINTS)
    write(folder / "eval.h", a_header("first"))
    return folder


def edit_in_place(folder: Path, _: pytest.MonkeyPatch) -> None:
    assert said(folder) == "first"
    before = (folder / "eval.h").stat()
    write(folder / "eval.h", a_header("other"))  # of the same length
    os.utime(folder / "eval.h", ns=(before.st_atime_ns, before.st_mtime_ns))


def edit_what_a_header_includes(folder: Path, _: pytest.MonkeyPatch) -> None:
    write(folder / "eval.h", '#include "parts/name.h"\n')
    write(folder / "parts/name.h", a_header("first"))
    assert said(folder) == "first"
    write(folder / "parts/name.h", a_header("other"))


def hide_by_a_header_that_is_found_earlier(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", str(folder))
    write(folder / "bot.cpp", PRINTS.replace('"eval.h"', '"parts/all.h"'))
    write(folder / "parts/all.h", '#include "eval.h"\n')
    assert said(folder) == "first"
    write(folder / "parts/eval.h", a_header("other"))


def hide_by_a_header_for_the_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", str(folder / "mine"))
    write(folder / "mine/nothing.h", "")
    write(folder / "bot.cpp", PRINTS.replace('"eval.h"', "<stdlib.h>\n#ifndef NAME\n" + a_header("first") + "#endif"))
    assert said(folder) == "first"
    write(folder / "mine/stdlib.h", a_header("other"))


def make_a_header_that_the_source_asks_for(folder: Path, _: pytest.MonkeyPatch) -> None:
    write(folder / "eval.h", '#if __has_include("tuned.h")\n#include "tuned.h"\n#else\n' + a_header("first") + "#endif\n")
    assert said(folder) == "first"
    write(folder / "tuned.h", a_header("other"))


def name_another_folder_of_headers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.move(folder / "eval.h", folder / "one")
    for name in ("first", "other"):
        write(folder / name / "eval.h", a_header(name))
    monkeypatch.setenv("CPLUS_INCLUDE_PATH", str(folder / "first"))
    assert said(folder) == "first"
    monkeypatch.setenv("CPLUS_INCLUDE_PATH", str(folder / "other"))


def link_to_another_header(folder: Path, _: pytest.MonkeyPatch) -> None:
    for name in ("first", "other"):
        write(folder / name / "eval.h", a_header(name))
    (folder / "eval.h").unlink()
    (folder / "eval.h").symlink_to("first/eval.h")
    assert said(folder) == "first"
    (folder / "eval.h").unlink()
    (folder / "eval.h").symlink_to("other/eval.h")


def include_what_a_macro_names(folder: Path, _: pytest.MonkeyPatch) -> None:
    write(folder / "bot.cpp", '#define HEADER "eval.h"\n' + PRINTS.replace('"eval.h"', "HEADER"))
    assert said(folder) == "first"
    write(folder / "eval.h", a_header("other"))


def embed_a_file(folder: Path, _: pytest.MonkeyPatch) -> None:
    write(folder / "name", "first")
    embedded = '__asm__(".data\\nname: .incbin \\"name\\"\\n.byte 0\\n.text\\n");\nextern char name[] __asm__("name");\n'
    write(folder / "bot.cpp", f"#include <stdio.h>\n{embedded}int main() {{ puts(name); }}\n")
    assert said(folder) == "first"
    write(folder / "name", "other")


@pytest.mark.parametrize(
    "change",
    [
        edit_in_place,
        edit_what_a_header_includes,
        hide_by_a_header_that_is_found_earlier,
        hide_by_a_header_for_the_system,
        make_a_header_that_the_source_asks_for,
        name_another_folder_of_headers,
        link_to_another_header,
        include_what_a_macro_names,
        embed_a_file,
    ],
)
def test_whatever_a_compiler_reads_counts(change: Change, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs a compiler twice or more."""
    need_compiler("c++")
    change(project, monkeypatch)
    assert said(project) == "other"


def test_equal_sources_that_include_different_headers_are_different_programs(tmp_path: Path) -> None:
    need_compiler("c++")
    for name in ("old", "new"):
        write(tmp_path / name / "bot.cpp", PRINTS)
        write(tmp_path / name / "eval.h", a_header(name))
    assert [said(tmp_path / name) for name in ("old", "new", "old")] == ["old", "new", "old"]


@pytest.mark.parametrize("change", ["module", "text", "both"])
def test_whatever_rust_reads_counts(change: str, tmp_path: Path) -> None:
    need_compiler("rustc")
    write(tmp_path / "my-bot.rs", 'mod eval;\nfn main() { println!("{}{}", eval::NAME, include_str!("a text")); }\n')
    write(tmp_path / "eval.rs", 'pub const NAME: &str = "a";\n')
    write(tmp_path / "a text", "b")
    assert said(tmp_path, "my-bot.rs") == "ab"
    if change == "module":
        write(tmp_path / "eval.rs", 'pub const NAME: &str = "c";\n')
        assert said(tmp_path, "my-bot.rs") == "cb"
    elif change == "text":
        write(tmp_path / "a text", "c")
        assert said(tmp_path, "my-bot.rs") == "ac"
    else:  # now the compiler does not know which of two files is meant
        write(tmp_path / "eval/mod.rs", 'pub const NAME: &str = "c";\n')
        with pytest.raises(building.PlayerCrashed, match="file for module `eval` found at both"):
            built(tmp_path, "my-bot.rs")


def test_java_reads_no_class_that_is_older_than_its_source(tmp_path: Path) -> None:
    need_compiler("javac")
    write(tmp_path / "Bot.java", "public class Bot { public static void main(String[] a) { System.out.println(Helper.name()); } }")
    write(tmp_path / "Helper.java", 'public class Helper { public static String name() { return "old"; } }')
    subprocess.run(["javac", "Helper.java"], cwd=tmp_path, check=True)
    write(tmp_path / "Helper.java", (tmp_path / "Helper.java").read_text().replace("old", "new"))
    done = subprocess.run(built(tmp_path, "Bot.java").words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "new" in done.stdout or "cannot find symbol" in done.stderr  # Java 22 and newer read several sources


def test_nothing_is_compiled_again_without_a_reason(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_compiler("c++")
    first = built(project)
    os.utime(project / "eval.h")
    write(project / "notes.txt", "nothing that is included")
    monkeypatch.setenv("WINDOWID", "12345")
    monkeypatch.setattr(building._Compiler, "compile", None)
    assert built(project).words == first.words
    assert built(project).identity == first.identity


def test_another_compiler_compiles_again(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_compiler("c++")
    real = shutil.which("c++")
    write(tmp_path / "bin/c++", f'#!/bin/sh\nexec {real} -DNAME=FIRST "$@"\n')
    (tmp_path / "bin/c++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    write(project / "eval.h", '#define FIRST "first"\n#define OTHER "other"\n')
    assert said(project) == "first"
    write(tmp_path / "bin/c++", f'#!/bin/sh\nexec {real} -DNAME=OTHER "$@"\n')
    assert said(project) == "other"


def test_a_source_that_changes_while_it_is_compiled(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler may have read what was there before: it must not pass for what is there now."""
    need_compiler("c++")
    edits = ["other"]
    compile_it = building._Compiler.compile

    def compile_and_edit(self: building._Compiler, made: Path, dependencies: Path) -> None:
        compile_it(self, made, dependencies)
        if edits:
            write(project / "eval.h", a_header(edits.pop()))

    monkeypatch.setattr(building._Compiler, "compile", compile_and_edit)
    assert said(project) == "other"
    assert said(project) == "other"


BOT = """\
#include <iostream>
#include <string>
#include "eval.h"
int main() {
    std::string line;
    while (std::getline(std::cin, line))
        if (line.find("hello") != std::string::npos) std::cout << "{\\"type\\":\\"ready\\",\\"name\\":\\"" NAME "\\"}" << std::endl;
}
"""


PYTHON_BOT = """\
import json, sys
for line in sys.stdin:
    if "hello" in line:
        print(json.dumps({"type": "ready", "name": "first"}), flush=True)
"""


@pytest.mark.parametrize("language", ["c++", "python"])
def test_a_bot_that_waits_is_not_lent_again_when_its_files_have_changed(language: str, project: Path) -> None:
    """Long-running processes keep programs from game to game."""
    if language == "c++":
        need_compiler("c++")
        write(project / "bot.cpp", BOT)
        bot, file = project / "bot.cpp", project / "eval.h"
    else:
        write(project / "bot.py", PYTHON_BOT)
        bot = file = project / "bot.py"
    pool = Pool(command_of(str(bot), project), Conditions(sandbox="off"))
    first = pool.borrow()
    if language == "c++":
        write(file, file.read_text())  # the same once more
    pool.give_back(first)
    assert pool.borrow() is first
    write(file, file.read_text().replace("first", "other"))
    pool.give_back(first)
    other = pool.borrow()
    other.end()
    assert (first.wishes.name, other.wishes.name) == ("first", "other")


def test_a_compiler_runs_in_a_session_of_its_own(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep Ctrl-C, which reaches every program at the front of the terminal's session, from ending a build: the game would count as lost."""
    write(
        tmp_path / "bin/c++", f"#!{sys.executable}\nimport os, sys\nif '-o' in sys.argv: open(sys.argv[-2], 'w').write(str(os.getsid(0)))\n"
    )
    (tmp_path / "bin/c++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    without_sandbox = Conditions(sandbox="off")  # in a PID namespace, each session that began outside is 0
    made = build(command_of("./bot.cpp", project), without_sandbox)
    assert int(Path(made.words[0]).read_text()) != os.getsid(0)


def test_a_source_may_be_compiled_for_several_games_at_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_compiler("c++")
    have_written, compile_it = threading.Barrier(3, timeout=60), building._Compiler.compile

    def compile_beside_others(self: building._Compiler, made: Path, dependencies: Path) -> None:
        compile_it(self, made, dependencies)
        have_written.wait()

    monkeypatch.setattr(building._Compiler, "compile", compile_beside_others)
    os.utime(project / "eval.h")
    with ThreadPoolExecutor(3) as threads:
        ((word,),) = {made.result().words for made in [threads.submit(built, project) for _ in range(3)]}
    assert subprocess.run([word], capture_output=True, text=True, check=True).stdout == "first\n"


def test_the_cache_is_bounded(project: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently used programs are deleted, but none that may be starting."""
    need_compiler("c++")
    first, one = built(project), Path(built(project).words[0])
    monkeypatch.setattr(building, "MAX_CACHE_BYTES", one.stat().st_size * 2)
    for number in range(3):
        write(project / "eval.h", a_header(f"number {number}"))
        another = Path(built(project).words[0])
        os.utime(another, (1000 + number, 1000 + number))
    built(project)
    write(project / "eval.h", a_header("last"))
    last = built(project)
    kept = {path for path in cache.iterdir() if path.suffix != ".json"}
    assert Path(last.words[0]) in kept
    assert Path(first.words[0]) in kept  # used just now
    assert len(kept) < 5
    assert not [path for path in cache.iterdir() if path.is_dir()]


def test_a_compiler_that_does_not_end(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "bin/c++", "#!/bin/sh\ncase $* in *-MD*) sleep 1000 & wait;; esac\n")
    (tmp_path / "bin/c++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.setattr(building, "MAX_SECONDS", 0.5)
    with pytest.raises(building.PlayerCrashed, match=r"cannot be compiled: '.*' took more than 0\.5 s"):
        built(project)
