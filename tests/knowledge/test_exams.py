"""Which commands are exams, which words of them decide, and which commands are none."""

from __future__ import annotations

import pytest

from novote.knowledge import builtin
from novote.knowledge.commands import ExamCommand
from novote.knowledge.exams import extended

EXAMS = builtin().exams


def only(script: str) -> ExamCommand:
    (command,) = EXAMS.commands_in(script)
    return command


@pytest.mark.parametrize(
    ("script", "writes"),
    [
        ("black .", True),
        ("black --check .", False),
        ("npx prettier --write .", True),
        ("npx prettier -c .", False),
        ("dprint check", False),
        ("cargo fmt --all -- --check", False),
        ("cargo fmt", True),
        ("pytest", False),
    ],
)
def test_a_formatter_only_writes_unless_it_is_told_to_check(script: str, writes: bool) -> None:
    assert only(script).only_writes is writes


EXAM = [
    ("npm ci && npm test", "npm test"),
    ("npx playwright test", "playwright test"),
    ("cargo clippy --all-targets -- -D warnings", "cargo clippy"),
    ("cargo +nightly test", "cargo test"),
    ("mvn -B verify", "mvn"),
    ("./mvnw -f sub/pom.xml clean install", "mvn"),
    ("./gradlew :app:testDebugUnitTest", "gradle"),
    ("./gradlew ${{ matrix.suite }}Test", "gradle"),
    (".\\gradlew.bat check", "gradle"),
    ("make", "make"),
    ("make -j4 unit", "make"),
    ("make check-${{ matrix.part }}", "make"),
    ("python -m pytest tests", "pytest"),
    ("python3.12 -Wd -m pytest", "pytest"),
    ("uv run --group dev pytest", "pytest"),
    ("poetry run mypy .", "mypy"),
    ("conda run -n t pytest", "pytest"),
    ("docker run --rm -v $PWD:/x img pytest tests", "pytest"),
    ("docker compose run --rm web bundle exec rspec", "rspec"),
    ('bash -c "cd x && cargo test"', "cargo test"),
    ("sudo env A=b timeout 5m npm test", "npm test"),
    ("xvfb-run -a -s '-screen 0' npm test", "npm test"),
    ("npx nx affected -t lint test --base=x", "nx affected"),
    ("yarn workspace a test", "npm run"),
    ("pnpm --filter a run lint", "npm run"),
    ("pnpm jest", "jest"),
    ("node_modules/.bin/eslint src", "eslint"),
    ("vendor/bin/phpunit", "phpunit"),
    ("tox -e py311", "tox"),
    ("hatch run test:cov", "hatch run"),
    ("ctest --test-dir build", "ctest"),
    ("cmake --build build", "cmake --build"),
    ("go test ./... 2>&1 | tee log", "go test"),
    ("if ! go vet ./...; then exit 1; fi", "go vet"),
    ("X=$(pytest -q)", "pytest"),
    ("xcodebuild -scheme A test", "xcodebuild"),
    ("docker build -t a:b .", "docker build"),
    ("terraform validate", "terraform validate"),
    ("./project/scripts/sbt ';set a := b ;mimaReportBinaryIssues'", "sbt"),
    ("Invoke-Pester -Path tests", "Invoke-Pester"),
    ("R CMD check pkg", "R CMD check"),
    ('./ci/run-fixture.sh "${{ matrix.fixture }}"', "run-fixture.sh"),
    ("./scripts/run-tests.sh", "script named for an exam"),
    ("bash tools/lint.sh --all", "script named for an exam"),
    ("python tools/check_headers.py", "script named for an exam"),
    ("./dev.sh test", "script named for an exam"),
    ("node scripts/all-green.mjs", "script named for an exam"),
]


@pytest.mark.parametrize(("script", "entry"), EXAM)
def test_it_is_an_exam(script: str, entry: str) -> None:
    assert only(script).entry.name == entry


NO_EXAM = [
    "npm ci", "npm install -g jest", "npx playwright install --with-deps", "npm publish", "npm run deploy",
    "npm run docs:build", "yarn", "yarn install", "yarn add jest", "pip install pytest",
    "uv pip install pytest",
    "cargo install cargo-nextest", "cargo publish", "cargo doc", "go install example.com/a@v1",
    "make install",
    "make -C docs html", "make clean", "make deploy", "mkdocs build --strict", "sphinx-build docs out",
    "apt-get install -y clang", "echo make test", "echo 'pytest' > notes", "# make test", "cat tests/run.sh",
    "cp scripts/test.sh /tmp", "chmod +x ./scripts/test.sh", "git commit -m 'make test'", "asv run",
    "gh pr comment 1 --body 'pytest failed'", "./ci/deploy-preview.sh", "cat <<'EOF'\nmake test\nEOF",
    "docker pull pytest", "cmake -B build", "tox -e docs", "conda install pytest", "which pytest", "",
    "sbt publishLocal",
]  # fmt: skip


@pytest.mark.parametrize("script", NO_EXAM)
def test_it_is_none(script: str) -> None:
    assert EXAMS.commands_in(script) == ()


ROLES = [
    ("pytest -m A tests/B --reruns C -q", ["A", "tests/B"], ["C"], []),
    ("pytest --junitxml r.xml -k=A", ["-k=A"], [], []),
    ("pytest -kA --cov-fail-under=9", ["-kA"], [], ["--cov-fail-under=9"]),
    ("go test -run A -count 2 ./...", ["A", "./..."], ["2"], []),
    ("npx eslint src --max-warnings 5", ["src"], [], ["5"]),
    ("npx playwright test --grep A --retries 2", ["A"], ["2"], []),
    ("docker build -t a:b --build-arg X=1 .", [], [], []),
    ("make -j 4 unit", ["unit"], [], []),
    ("BRANCH=a TESTS=b make test HEAD_REF=c UNIT=d", ["TESTS=b", "test", "UNIT=d"], [], []),
    ('docker run -e BRANCH="a" -e TESTS=b image make test', ["TESTS=b", "test"], [], []),
    ("cypress run --tag A --group B --ci-build-id C --spec D", ["D"], [], []),
    ("cargo test --target-dir A --log-file B C", ["C"], [], []),
    ("./run-tests.sh --report A B", ["B"], [], []),
    ("ctest -R A --repeat until-pass:3", ["A"], ["until-pass:3"], []),
]


@pytest.mark.parametrize(("script", "selects", "retries", "softens"), ROLES)
def test_words_have_roles(script: str, selects: list[str], retries: list[str], softens: list[str]) -> None:
    command = only(script)
    options = set(command.entry.options)
    found: dict[str, list[str]] = {"select": [], "retry": [], "soften": []}
    for word, role in zip(command.words, command.roles(), strict=True):
        if role and word.text not in options:
            found[role].append(word.text)
    assert [found["select"], found["retry"], found["soften"]] == [selects, retries, softens]


def test_offsets_count_in_the_script() -> None:
    script = 'set -e\nbash -c "cd x && cargo test --test A"\n'
    command = only(script)
    assert script[command.start : command.end] == "cargo test --test A"


def test_variables_select_too() -> None:
    assert "PYTEST_ADDOPTS" in only("pytest").entry.env


def test_a_name_or_an_unknown_target_is_not_sure() -> None:
    assert only("make test").sure
    assert not only("./scripts/run-tests.sh").sure
    assert not only("make ${{ matrix.target }}").sure


HOUSE = [
    ("echo hi\nexit 1", True),
    ("npm ci", True),
    ("sudo apt-get install -y x", True),
    ('if [ "$A" = x ]; then\n  exit 0\nfi', True),
    ("f() {\n  echo\n}", True),
    ("./tools/suite --profile core", False),
    ("python tools/generate.py", False),
    ("cargo run -- --format sarif .", False),
    ("cargo fetch", True),
    ("python -m pip install -r requirements.txt\npython3 -m venv .venv", True),
    ("python -m tools.suite", False),
    ("docker run --rm image", False),
    ("make test", False),
]


@pytest.mark.parametrize(("script", "keeps_house"), HOUSE)
def test_housekeeping_examines_nothing(script: str, keeps_house: bool) -> None:
    assert EXAMS.is_housekeeping(script) is keeps_house


def test_every_command_that_is_written_down_is_found() -> None:
    for entry in (e for group in map(EXAMS.entries, EXAMS._index) for e in group):
        target = " test" if entry.targets else ""
        script = " ".join(entry.prefix) + target
        found = EXAMS.commands_in(script)
        assert bool(found) is not entry.not_exam, script


def test_a_repository_adds_words_for_options_and_variables() -> None:
    own = extended([{"option_words": {"words": ["shade"]}, "variable_words": {"words": ["flavour"]}}])
    script = "make test --shade A FLAVOUR=b TESTS=c"
    roles = [
        [word.text for word, role in zip(command.words, command.roles(), strict=True) if role]
        for exams in (EXAMS, own)
        for command in exams.commands_in(script)
    ]
    assert roles == [["test", "A", "FLAVOUR=b", "TESTS=c"], ["test", "TESTS=c"]]
