package judge

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
	"ralph/internal/text/shell"
)

// Examples in documentation that run as tests: those of doctest in Python, and those of
// rustdoc. They stand in files of the product, so that the file stays the work's. Those
// that the work changed or removed are added at the end of the file as they are on the
// base, where no other line of the file can take their place.

// runsDoctests reports whether the gate may run the examples of Python's documentation:
// its command, a file of configuration, a script or a test names doctest.
func (j *judging) runsDoctests() (bool, error) {
	return j.doctests.try(j.findDoctests)
}

func (r *reach) findDoctests() (bool, error) {
	if slices.ContainsFunc(slices.AppendSeq([]string{r.Gate.Run}, maps.Values(r.Gate.Env)), doctest.MatchString) {
		return true, nil
	}
	files, more, err := r.reading(func(f proof.File) bool {
		lang, test := r.isTest(f.Path)
		return proof.IsConfig(f.Path) || r.named[f.Path] || f.Path == "pyproject.toml" || test && lang == "python"
	})
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if data, err := r.Content(f.ID); err != nil || doctest.MatchString(string(data)) {
			return err == nil, err
		}
	}
	return more, nil
}

var doctest = lazyregexp.New(`(?i)doctest|\bsybil\b`)

// losesExamples reports whether a document of the base has no longer all its examples in
// their order, where the examples of documentation are run.
func (j *judging) losesExamples(old proof.File) (bool, error) {
	now := j.After[old.Path]
	if !proof.IsDocument(strings.ToLower(path.Base(old.Path))) || !proof.IsFile(old) {
		return false, nil
	}
	base, err := j.Content(old.ID)
	if err != nil {
		return false, err
	}
	before := syntax.InLines("python", base)
	python, rust := examples(before), fenced(before)
	if len(python) > 0 {
		runs, err := j.runsDoctests()
		if err != nil {
			return false, err
		}
		if !runs {
			python = nil
		}
	}
	if len(rust) > 0 && !slices.ContainsFunc(j.Base, func(f proof.File) bool { return path.Base(f.Path) == "Cargo.toml" }) {
		rust = nil
	}
	if len(python)+len(rust) == 0 {
		return false, nil
	}
	if now.ID == "" || !proof.IsFile(now) {
		return true, nil
	}
	work, err := j.Content(now.ID)
	after := syntax.InLines("python", work)
	return err == nil && (!inOrder(python, examples(after)) || !inOrder(rust, fenced(after))), err
}

// mergeDocstrings returns the work's module with the examples of the base.
func mergeDocstrings(base, work []byte) (merged []byte, same bool) {
	before, after := syntax.InLines("python", base), syntax.InLines("python", work)
	old, now := syntax.Docstrings(before), syntax.Docstrings(after)
	var gone []syntax.Docstring
	for i, d := range old {
		wanted := examples(d.Literal)
		if len(wanted) == 0 {
			continue
		}
		at := slices.IndexFunc(now, func(n syntax.Docstring) bool { return n.Name == d.Name })
		if at < 0 || !inOrder(wanted, examples(now[at].Literal)) || hides(before, after, d.Name) {
			gone = append(gone, old[i])
		}
	}
	if len(gone) == 0 {
		return work, true
	}
	var out strings.Builder
	out.WriteString(strings.TrimRight(string(work), "\n") + "\n\n\n__test__ = dict(globals().get(\"__test__\") or {})\n")
	for i, d := range gone {
		fmt.Fprintf(&out, "__test__[\"%s of the base, %d\"] = %s\n", d.Name, i+1, d.Literal)
	}
	return []byte(out.String()), false
}

// hides reports whether a line that the work adds may keep doctest from finding the
// examples of a name: another object of that name, a decorator, or doctest's own words.
func hides(base, work, name string) bool {
	last := regexp.QuoteMeta(name[strings.LastIndexByte(name, '.')+1:])
	pattern := `^\s*@|__doc__|__test__|__module__|(?i:doctest)|\bglobals\(\)|\bsetattr\(|\bvars\(`
	if last != "" {
		pattern += `|(?:^|[\s;,])` + last + `\s*(?:=[^=]|,.*=)|\bdel\b.*\b` + last + `\b|\bas ` + last + `\b`
	}
	re := regexp.MustCompile(pattern)
	had := map[string]bool{}
	for line := range strings.Lines(base) {
		had[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(work) {
		if !had[strings.TrimSpace(line)] && re.MatchString(line) {
			return true
		}
	}
	return false
}

// examples are those of doctest in a text, each with what it expects: from its prompt to
// the next one, or to a blank line.
func examples(text string) (out []string) {
	var open []string
	end := func() {
		if len(open) > 0 {
			out = append(out, strings.Join(open, "\n"))
		}
		open = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(line, `"""`), "'''"))
		switch {
		case strings.HasPrefix(line, ">>>"):
			end()
			open = []string{line}
		case line == "" || line == "```":
			end()
		case len(open) > 0:
			open = append(open, line)
		}
	}
	end()
	return out
}

// fenced are the blocks of code in a text of Markdown, with the words after their fence.
func fenced(text string) (out []string) {
	var open []string
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		fence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")
		switch {
		case fence && open == nil:
			open = []string{trimmed}
		case fence:
			out, open = append(out, strings.Join(open, "\n")), nil
		case open != nil:
			open = append(open, strings.TrimRight(line, " \t\r\n"))
		}
	}
	return out
}

// inOrder reports whether the texts of one list are all in another one, in their order.
func inOrder(wanted, have []string) bool {
	for _, h := range have {
		if len(wanted) > 0 && h == wanted[0] {
			wanted = wanted[1:]
		}
	}
	return len(wanted) == 0
}

// onlyDoctested reports whether a command runs nothing of the files that it names but
// the examples in them: "python3 -m doctest slug.py".
func onlyDoctested(c shell.Command) bool {
	i := slices.Index(c.Words, "-m")
	return strings.HasPrefix(path.Base(c.Words[0]), "python") && i > 0 && i+1 < len(c.Words) && c.Words[i+1] == "doctest"
}
