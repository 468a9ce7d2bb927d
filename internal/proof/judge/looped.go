package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

var (
	// forLoop matches a loop of a shell: its variable, the words that it takes, and its body.
	forLoop = lazyregexp.New(`\bfor\s+([A-Za-z_]\w*)\s+in\s+([^;\n]+?)\s*[;\n]\s*do\b([\s\S]*?)\bdone\b`)
	// globLike matches a pattern of files; makeSet an assignment of make, which a loop may take.
	globLike = lazyregexp.New(`[\w.@+/*?\[\]-]*[*?][\w.@+/*?\[\]-]*`)
	makeUse  = lazyregexp.New(`\$[({](\w+)[)}]`)
)

// looped returns the scripts of the base that loops of a script over a pattern run: those of
// "for t in tests/test_*.sh; do sh $t || exit 1; done". In a Makefile the variable is $$t, and the
// pattern may stand in a variable of make. A loop that only looks at its files runs none.
func (n *naming) looped(from, script string) (out []string) {
	script = strings.ReplaceAll(script, "\\\n", " ")
	for _, m := range forLoop.FindAllStringSubmatch(script, -1) {
		if !runsVariable(m[1], m[3]) {
			continue
		}
		words := m[2]
		if use := makeUse.FindStringSubmatch(words); use != nil && IsMakefile(from) {
			set := regexp.MustCompile(`(?m)^` + use[1] + `\s*[:?+]*=(.*)$`)
			for _, value := range set.FindAllStringSubmatch(script, -1) {
				words += " " + value[1]
			}
		}
		for _, glob := range globLike.FindAllString(words, -1) {
			for p := range n.Before {
				if n.reached(p) && slices.ContainsFunc([]string{n.dir, proof.DirOf(from)}, func(dir string) bool {
					ok, err := path.Match(path.Join(dir, glob), p)
					return err == nil && ok
				}) {
					out = append(out, p)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// runsVariable reports whether commands run the file that a variable names: by themselves, or by a
// shell or an interpreter.
func runsVariable(name, commands string) bool {
	variable := `["']?(?:\./)?\$\$?\{?` + name + `\b`
	runs := regexp.MustCompile(`(?:^|[\n;&|({!]|\b(?:do|then|else|if|exec|time|env)\s)\s*@?` + variable +
		`|(?:\b(?:sh|bash|dash|zsh|ksh|ash|source|` + strings.Join(interpreters, "|") + `)|(?:^|[\s;&|({])\.)(?:\s+-[\w-]+)*\s+` + variable)
	return slices.ContainsFunc(runs.FindAllString(commands, -1), func(run string) bool { return !slices.Contains(strings.Fields(run), "-n") })
}
