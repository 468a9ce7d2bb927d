package judge

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/ratchet"
)

// Duties are what one gate or several do with the product beside running its tests, by their kinds,
// their commands, and what these run: scripts, goals of make, scripts of package.json and
// tasks of other runners, with the settings by which test runners measure coverage.
type Duties struct {
	// Inspects: a gate judges the text of the product, or which of its lines are run.
	Inspects bool
	// Lints: one does so by more than coverage.
	Lints bool
	// Measures: a gate measures coverage.
	Measures bool
	// ChecksTypes: a gate runs a type checker in whose language types can be waived.
	ChecksTypes bool
	// Switches are build tags, features and macros that only gates set: see gateSwitches.
	Switches string
	// Compared are files with which commands of gates compare: see comparedBy.
	Compared []string
	// Scripts are the scripts, programs and makefiles of the base that gates run.
	Scripts []string
	// Warns: a gate fails where the product warns.
	Warns bool
	// Marks are the comments that checking programs of the gates know, one a line: see marks.
	Marks string
	// Repeats: a command or script of a gate runs tests that failed once more.
	Repeats bool
	// Texts are the commands and what these run, as text: inputs of the product stand there, too.
	Texts string
	// Task is the text of the task.
	Task string
}

var (
	// lints matches commands of tools to which comments in the product speak.
	lints = lazyregexp.New(`(?i)lint|clippy|\bvet\b|\bruff\b|flake8|pyflakes|mypy|pyright|\bty\b|\btsc\b|biome|rubocop|phpstan|psalm|phpcs|shellcheck|staticcheck|gosec|bandit|semgrep|prettier|\bblack\b|\bisort\b|\bfmt\b|gofmt|gofumpt|revive|pylint|pyrefly|pytype|yamllint|hadolint|cspell|codespell|vulture|warnings|-W(?:all|error)|detekt|checkstyle|spotbugs|dialyzer|credo|clang-tidy|cppcheck`)
	// measures matches commands that measure coverage.
	measures = lazyregexp.New(`(?i)cover|--cov|\bnyc\b|\bc8\b|tarpaulin|llvm-cov|gcov|jacoco`)
	// checksTypes matches commands of type checkers.
	checksTypes = lazyregexp.New(`(?i)\b(?:vue-)?tsc\b|svelte-check|\bd?mypy\b|pyright|\bty\b|pyrefly|pytype|\bpyre\b|type-?check`)
	// warns matches commands, and settingsWarn settings of pytest, for which a warning is a failure.
	warns        = lazyregexp.New(`-W\s*error|-Werror|--throw-deprecation|\bPYTHONWARNINGS=error`)
	settingsWarn = lazyregexp.New(`\bfilterwarnings\b["']?\s*=\s*\[?\s*["']?error\b`)
	// settingsMeasure matches settings that make a test runner measure coverage.
	settingsMeasure = lazyregexp.New(`\bcollectCoverage["']?\s*:\s*true|\bcoverageThreshold\b|\bthresholds\b|(?:^|[\s"'=,\[])--cov(?:[=\s"',-]|$)|\bminimum_coverage\b|\bjacocoTestCoverageVerification\b|\bjacoco-maven-plugin\b`)
)

// And returns what two gates do together.
func (a Duties) And(b Duties) Duties {
	return Duties{
		Inspects:    a.Inspects || b.Inspects,
		Lints:       a.Lints || b.Lints,
		Measures:    a.Measures || b.Measures,
		ChecksTypes: a.ChecksTypes || b.ChecksTypes,
		Switches:    strings.TrimSpace(a.Switches + " " + b.Switches),
		Compared:    slices.Concat(a.Compared, b.Compared),
		Scripts:     slices.Concat(a.Scripts, b.Scripts),
		Warns:       a.Warns || b.Warns,
		Marks:       strings.TrimSpace(a.Marks + "\n" + b.Marks),
		Repeats:     a.Repeats || b.Repeats,
		Texts:       strings.TrimSpace(a.Texts + "\n" + b.Texts),
		Task:        cmp.Or(a.Task, b.Task),
	}
}

// DutiesOf returns what a gate does, as what its command runs is among these files.
func DutiesOf(g loop.Gate, files []proof.File, content func(id string) ([]byte, error)) (Duties, error) {
	on, err := onBase(g, files, content)
	if err != nil {
		return Duties{}, err
	}
	return on.duties()
}

// onBase is what a gate runs on a base alone, by its command and without configuration.
func onBase(g loop.Gate, files []proof.File, content func(id string) ([]byte, error)) (*gateRun, error) {
	d := &Diff{Case: Case{Gate: g, Base: files, Content: content}, Before: proof.Index(files)}
	r, err := d.reachDirectly()
	if err == nil {
		err = r.follow()
	}
	if err != nil {
		return nil, err
	}
	return r.run()
}

// duties are those of the one gate.
func (g *gateRun) duties() (Duties, error) {
	does := Duties{Lints: lints.MatchString(g.commands), Measures: measures.MatchString(g.commands), ChecksTypes: checksTypes.MatchString(g.commands)}
	switch g.Gate.Kind {
	case loop.KindLint, loop.KindTypes:
		does.Lints = true
	case loop.KindCoverage:
		does.Measures = true
	}
	does.ChecksTypes = does.ChecksTypes || g.Gate.Kind == loop.KindTypes
	if !does.Measures && (g.Gate.Kind == loop.KindTests || g.Gate.Kind == loop.KindCommand || g.Gate.Kind == "") {
		var err error
		if does.Measures, err = g.settingsHave(settingsMeasure); err != nil {
			return Duties{}, err
		}
	}
	does.Inspects = does.Lints || does.Measures
	var err error
	if does.Warns = warns.MatchString(g.commands); !does.Warns {
		if does.Warns, err = g.settingsHave(settingsWarn); err != nil {
			return Duties{}, err
		}
	}
	does.Marks = marks(g.texts)
	if does.Switches, err = g.gateSwitches(); err != nil {
		return Duties{}, err
	}
	if does.Compared, err = g.comparedBy(); err != nil {
		return Duties{}, err
	}
	does.Repeats = ratchet.Reruns(g.Gate.Run) || slices.ContainsFunc(g.texts, func(t gateText) bool {
		return t.commands && ratchet.Reruns(ratchet.ReadsLines.ReplaceAllString(t.text, "for "))
	})
	does.Texts = g.commands
	for _, t := range g.texts {
		if !strings.Contains(does.Texts, t.text) { // the commands have scripts as they are
			does.Texts += "\n" + t.text
		}
		does.Scripts = append(does.Scripts, t.from)
	}
	return does, nil
}

// measuringSettings are the files, by patterns of their names in lower case, that tools in a
// command read by themselves, in its folder or at the top.
var measuringSettings = []struct {
	tools *lazyregexp.Regexp
	names []string
}{
	{lazyregexp.New(`\bjest\b|react-scripts test`), []string{"jest.config.*", "package.json"}},
	{lazyregexp.New(`\bvitest\b`), []string{"vitest.config.*", "vite.config.*"}},
	{lazyregexp.New(`\bpy\.?test\b|\btox\b`), []string{"pytest.ini", ".pytest.ini", "pytest.toml", "setup.cfg", "tox.ini", "pyproject.toml"}},
	{lazyregexp.New(`\brspec\b|\brake\b|\brails\b|\bruby\b`), []string{"spec_helper.rb", "test_helper.rb", ".simplecov"}},
	{lazyregexp.New(`\bmvnw?\b|\bgradlew?\b`), []string{"pom.xml", "build.gradle", "build.gradle.kts"}},
}

// settingsHave reports whether settings that a test runner of the gate reads by itself match.
func (g *gateRun) settingsHave(pattern *lazyregexp.Regexp) (bool, error) {
	var names []string
	for _, s := range measuringSettings {
		if s.tools.MatchString(g.commands) {
			names = append(names, s.names...)
		}
	}
	if names == nil {
		return false, nil
	}
	near := naming{reach: g.reach, dir: g.gateDir()}
	files, _, err := g.reading(func(f proof.File) bool {
		return proof.Matches(names, strings.ToLower(path.Base(f.Path))) && (near.runsIn(f.Path) || path.Ext(f.Path) == ".rb")
	})
	for _, f := range files {
		data, err := g.Content(f.ID)
		if err != nil {
			return false, err
		}
		if len(data) <= longestScript && pattern.MatchString(string(data)) {
			return true, nil
		}
	}
	return false, err
}

// packageRunner matches a command that runs scripts of a package.json, with its arguments.
var packageRunner = lazyregexp.New(`(?m)(?:^|[\s;&|(@"'/])(?:npm|pnpm|yarn|bun|node[ \t]+--run|run-[sp]|npm-run-all2?)((?:[ \t]+[^\s;&|()]+)*)`)

// packageWords are the words of all commands that run scripts of a package.json.
func (r *running) packageWords() (words []string) {
	for _, m := range packageRunner.FindAllStringSubmatch(r.commands, -1) {
		for w := range strings.FieldsSeq(m[1]) {
			words = append(words, strings.Trim(w, `"'`))
		}
	}
	return words
}

// taskRunners returns the commands of the runners of tasks other than make and npm that commands
// call: the recipes of just that are run, and all of the settings of tox.
func (r *running) taskRunners() (texts string, err error) {
	for _, p := range proof.SortedPaths(r.Before) {
		name := strings.ToLower(path.Base(p))
		just, tox := name == "justfile" || name == ".justfile", name == "tox.ini" || name == "tox.toml"
		if !proof.IsFile(r.Before[p]) || !r.near.runsIn(p) || (!just || !justCommand.MatchString(r.commands)) && (!tox || !toxCommand.MatchString(r.commands)) {
			continue
		}
		data, err := r.Content(r.Before[p].ID)
		if err != nil {
			return "", err
		}
		if len(data) > longestScript {
			continue
		}
		text := string(data)
		if just {
			var recipes []string
			for _, m := range justCommand.FindAllStringSubmatch(r.commands, -1) {
				recipes = append(recipes, strings.Fields(m[1])...)
			}
			text = portion(indented.ReplaceAllString(text, "\t"), recipes)
		}
		texts += "\n" + text
	}
	return texts, nil
}

var (
	justCommand = lazyregexp.New(`(?m)(?:^|[\s;&|(@/])just((?:[ \t]+[^\s;&|()]+)*)[ \t]*(?:$|[;&|)])`)
	toxCommand  = lazyregexp.New(`(?m)(?:^|[\s;&|(@/])tox(?:\s|$)`)
	indented    = lazyregexp.New(`(?m)^(?:  +|\t)`)
)
