package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// Programs returns the edits after which the command of a reviewer runs its programs as
// they are on the base: the scripts that it names, what these run, and what decides how
// they run. There are none where the command runs no file of the base.
func (c Case) Programs() ([]proof.Edit, error) {
	edits, _, err := c.programs()
	return edits, err
}

// programs also returns the texts of what the commands run.
func (c Case) programs() ([]proof.Edit, []gateText, error) {
	c.Gate.Run = programLine(c.Gate.Run)
	d, err := c.diff()
	if err != nil || len(d.changed) == 0 {
		return nil, nil, err
	}
	j, err := d.judging()
	if err != nil || len(j.texts) == 0 {
		return nil, nil, err
	}
	judges, err := j.findJudges()
	return judges.Runner, j.texts, err
}

// changedPrograms are the paths among these edits that the commands run themselves.
func (c Case) changedPrograms() (map[string]bool, error) {
	edits, texts, err := c.programs()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, e := range edits {
		found[e.Path] = slices.ContainsFunc(texts, func(t gateText) bool { return t.runs(e.Path) })
	}
	return found, nil
}

// runs reports whether the text is a file, or runs or imports it.
func (t gateText) runs(p string) bool {
	return !IsMakefile(p) && t.from == p || t.includes(p, ".") || t.imports(p)
}

// programLine is a command line with nothing but its programs: what it reads and writes,
// as "sed -i s/a/b/ tax.py" does, is the work.
func programLine(line string) string {
	var out []string
	for _, c := range shell.Split(line) {
		name := path.Base(c.Words[0])
		words := []string{c.Words[0]}
		switch {
		case slices.Contains([]string{"make", "gmake", "npm", "pnpm", "yarn", "just", "task"}, name):
			words = c.Words
		case isShell(name), name == ".", name == "source", name == "go", slices.ContainsFunc([]string{"python", "node", "ruby", "perl", "php", "deno", "bun", "tclsh"}, func(i string) bool { return strings.HasPrefix(name, i) }):
			for i, word := range c.Words[1:] {
				if word == "-c" && isShell(name) && i+2 < len(c.Words) {
					words = []string{programLine(c.Words[i+2])}
					break
				}
				words = append(words, word)
				if !strings.HasPrefix(word, "-") && word != "run" {
					break
				}
			}
		case !strings.Contains(c.Words[0], "/"):
			continue
		}
		one := strings.Join(words, " ")
		if c.Dir != "" {
			one = "cd " + c.Dir + " && " + one
		}
		out = append(out, one)
	}
	return strings.Join(out, "\n")
}
