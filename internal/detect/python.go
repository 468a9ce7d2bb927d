package detect

import (
	"slices"
	"strings"

	"ralph/internal/loop"
)

func (s *scanner) python() {
	tests, isPytest := s.pythonTests()
	pytest := s.pytestConfig()
	if pytest == "" && isPytest {
		pytest = tests
	}
	prefix, program := s.pythonRunner()
	switch {
	case pytest != "":
		s.propose(loop.Gate{Kind: loop.KindTests, Run: prefix + "-m pytest"}, "python", program, pytest, "pytest is used")
		if tests != "" && !isPytest {
			s.out.Gates[len(s.out.Gates)-1].Instead = prefix + s.unittest(tests)
		}
	case tests != "":
		s.propose(loop.Gate{Kind: loop.KindTests, Run: prefix + s.unittest(tests)}, "python", program, tests, "unittest is used")
	}
	s.pythonLint(prefix, program)
	s.pythonTypes(prefix, program)
	s.pythonSetup()
}

// pythonRunner returns the command before -m, and the program that it needs.
func (s *scanner) pythonRunner() (prefix, program string) {
	switch {
	case s.exists("uv.lock"):
		return "uv run python ", "uv"
	case s.exists("poetry.lock"):
		return "poetry run python ", "poetry"
	case s.exists("Pipfile.lock"):
		return "pipenv run python ", "pipenv"
	}
	return "python3 ", "python3"
}

// pytestConfig returns the file that configures pytest.
func (s *scanner) pytestConfig() string {
	switch {
	case s.exists("pytest.ini"):
		return "pytest.ini"
	case s.section("pyproject.toml", "[tool.pytest"):
		return "pyproject.toml"
	case s.section("setup.cfg", "[tool:pytest]"):
		return "setup.cfg"
	case s.section("tox.ini", "[pytest]"):
		return "tox.ini"
	}
	return s.first("conftest.py", "tests/conftest.py", "test/conftest.py")
}

// pythonTests returns the first file with tests, and whether they need pytest: it is
// imported, or there are bare functions that unittest does not find.
func (s *scanner) pythonTests() (file string, isPytest bool) {
	const most = 50
	for _, dir := range []string{".", "tests", "test"} {
		for i, name := range s.list(dir) {
			if i == most {
				break
			}
			if !strings.HasPrefix(name, "test") || !strings.HasSuffix(name, ".py") {
				continue
			}
			name = strings.TrimPrefix(dir+"/"+name, "./")
			text := s.read(name)
			switch {
			case imports(text, "pytest"), strings.HasPrefix(text, "def test_"), strings.Contains(text, "\ndef test_"):
				return name, true
			case imports(text, "unittest") && file == "":
				file = name
			}
		}
	}
	return file, false
}

func imports(text, module string) bool {
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.ReplaceAll(line, ",", " "))
		if len(words) > 1 && (words[0] == "import" && slices.Contains(words[1:], module) ||
			words[0] == "from" && strings.Split(words[1], ".")[0] == module) {
			return true
		}
	}
	return false
}

// unittest names the folder if it is not a package, which unittest does not search
// by itself.
func (s *scanner) unittest(tests string) string {
	dir, _, nested := strings.Cut(tests, "/")
	if nested && !s.exists(dir+"/__init__.py") {
		return "-m unittest discover -s " + dir
	}
	return "-m unittest"
}

func (s *scanner) pythonLint(prefix, program string) {
	ruff := s.first("ruff.toml", ".ruff.toml")
	if ruff == "" && s.section("pyproject.toml", "[tool.ruff") {
		ruff = "pyproject.toml"
	}
	flake8 := s.first(".flake8")
	for _, file := range []string{"setup.cfg", "tox.ini"} {
		if flake8 == "" && s.section(file, "[flake8]") {
			flake8 = file
		}
	}
	switch {
	case ruff != "" && program == "python3":
		s.propose(loop.Gate{Kind: loop.KindLint, Run: "ruff check ."}, "python", "ruff", ruff, "ruff is configured")
	case ruff != "":
		s.propose(loop.Gate{Kind: loop.KindLint, Run: prefix + "-m ruff check ."}, "python", program, ruff, "ruff is configured")
	case flake8 != "":
		s.propose(loop.Gate{Kind: loop.KindLint, Run: prefix + "-m flake8"}, "python", program, flake8, "flake8 is configured")
	}
}

func (s *scanner) pythonTypes(prefix, program string) {
	mypy := s.first("mypy.ini", ".mypy.ini")
	switch {
	case mypy != "":
	case s.section("pyproject.toml", "[tool.mypy]"):
		mypy = "pyproject.toml"
	case s.section("setup.cfg", "[mypy]"):
		mypy = "setup.cfg"
	default:
		return
	}
	run := prefix + "-m mypy"
	if !s.section(mypy, "files") && !s.section(mypy, "packages") {
		run += " ."
	}
	s.propose(loop.Gate{Kind: loop.KindTypes, Run: run}, "python", program, mypy, "mypy is configured")
}

func (s *scanner) pythonSetup() {
	switch {
	case s.exists("uv.lock"):
		s.setup("uv sync --frozen", "uv", "uv.lock")
	case s.exists("poetry.lock"):
		s.setup("poetry install --no-interaction", "poetry", "poetry.lock")
	case s.exists("Pipfile.lock"):
		s.setup("pipenv sync --dev", "pipenv", "Pipfile.lock")
	}
}
