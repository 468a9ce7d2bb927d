package judge

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// AllFeatures is the switch by which cargo sets all features.
const AllFeatures = "rust:*"

var (
	// setsTags matches an option of the go command, setsRace those that set a tag of their name.
	setsTags = lazyregexp.New(`(?:^|[\s"'=])--?(?:build-)?tags(?:=|\s+)("[^"]*"|'[^']*'|[^\s"']+)`)
	setsRace = lazyregexp.New(`\bgo(?:testsum)?\s[^\n]*\s-(race|msan|asan)\b`)
	// setsFeatures and setsAll match options of cargo, setsMacro one of a compiler of C.
	setsFeatures = lazyregexp.New(`(?:^|\s)(?:--features|-F)(?:=|\s+)("[^"]*"|'[^']*'|[^\s"']+)`)
	setsAll      = lazyregexp.New(`\bcargo\b[^\n]*\s--all-features\b`)
	setsMacro    = lazyregexp.New(`\s-D\s*([A-Za-z_]\w*)`)
	compilesC    = lazyregexp.New(`(?:^|[\s"'/])(?:g?cc|clang|c\+\+|g\+\+|clang\+\+)(?:-\d+)?\s|\$[({](?:CC|CXX)[)}]`)
	// variable matches a reference to a variable of make or of a shell.
	variable = lazyregexp.New(`\$(?:\((\w+)\)|\{(\w+)\}|(\w+))`)
	// builds matches a command that builds the product, onlyJudged one that builds nothing that
	// is used.
	builds     = lazyregexp.New(`\b(?:go|cargo)\s+(?:build|install|b)\b`)
	onlyJudged = lazyregexp.New(`\b(?:test|vet|check|clippy|nextest|lint|golangci-lint|staticcheck)\b`)
	switchName = lazyregexp.New(`^[A-Za-z_][\w.-]*$`)
)

// switchesIn are the switches that lines of commands set, each with its language.
func switchesIn(text string) (found []string) {
	add := func(lang, list string) {
		list = variable.ReplaceAllStringFunc(strings.Trim(list, `"'`), func(ref string) string { return valueOf(text, strings.Trim(ref, "${}()")) })
		for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
			if name = name[strings.LastIndex(name, "/")+1:]; switchName.MatchString(name) {
				found = append(found, lang+":"+name)
			}
		}
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		for _, m := range slices.Concat(setsTags.FindAllStringSubmatch(line, -1), setsRace.FindAllStringSubmatch(line, -1)) {
			add("go", m[1])
		}
		for _, m := range setsFeatures.FindAllStringSubmatch(line, -1) {
			add("rust", m[1])
		}
		if setsAll.MatchString(line) {
			found = append(found, AllFeatures)
		}
		if !compilesC.MatchString(line) {
			continue
		}
		for _, m := range setsMacro.FindAllStringSubmatch(line, -1) {
			add("c", m[1])
		}
	}
	return found
}

// valueOf is what a text assigns to a variable, as far as it can be read.
func valueOf(text, name string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if value, ok := strings.CutPrefix(line, name); ok {
			if value, ok = strings.CutPrefix(strings.TrimLeft(value, " \t:?+"), "="); ok {
				return strings.Trim(strings.TrimSpace(value), `"'`)
			}
		}
	}
	return ""
}

// gateSwitches are the switches that the commands of the gate set and that no command which
// builds the product does, sorted, with blanks between them.
func (g *gateRun) gateSwitches() (string, error) {
	env := ""
	for _, value := range g.Gate.Env {
		env += "\n" + value
	}
	set := map[string]bool{}
	for _, s := range switchesIn(g.commands + env) {
		set[s] = true
	}
	if len(set) == 0 {
		return "", nil
	}
	files, _, err := g.reading(func(f proof.File) bool {
		_, test := g.isTest(f.Path)
		return !test && (isScript(f) || buildText(f.Path))
	})
	for _, f := range files {
		data, err := g.Content(f.ID)
		if err != nil {
			return "", err
		}
		if path.Base(f.Path) == "Cargo.toml" {
			for name := range defaultFeatures(data) {
				delete(set, "rust:"+name)
			}
		} else if len(data) <= longestScript {
			for _, s := range g.switchesBeside(string(data)) {
				delete(set, s)
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(set)), " "), err
}

// switchesBeside are the switches that lines of a file set by which the product is built: it
// is what the gate does not run, and what builds where it does.
func (g *gateRun) switchesBeside(text string) (found []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !onlyJudged.MatchString(line) && (builds.MatchString(line) || !strings.Contains(g.commands, line)) {
			found = append(found, switchesIn(line)...)
		}
	}
	return found
}

// buildText reports whether a file may tell how the product is built: configuration of
// services, images and releases, and documents.
func buildText(p string) bool {
	name := strings.ToLower(path.Base(p))
	return strings.HasPrefix(name, "dockerfile") || strings.HasPrefix(name, "containerfile") || proof.IsDocument(name) || name == "cargo.toml" || name == "package.json" ||
		slices.Contains([]string{".yml", ".yaml", ".nix", ".just", ".dockerfile"}, path.Ext(name))
}

// defaultFeatures are the features of a Cargo.toml that are on by default.
func defaultFeatures(cargo []byte) map[string]bool {
	on := map[string]bool{}
	var t manifest.Table
	if toml.Unmarshal(cargo, &t) == nil {
		turnOn(on, t["features"], "default")
	}
	return on
}

// turnOn adds to those that are on a feature of a table, and those that it turns on.
func turnOn(on map[string]bool, features any, name string) {
	if on[name] {
		return
	}
	on[name] = true
	t, _ := features.(manifest.Table)
	list, _ := t[name].([]any)
	for _, v := range list {
		if next, is := v.(string); is {
			turnOn(on, features, next)
		}
	}
}
