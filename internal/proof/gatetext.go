package proof

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/text/shell"
)

// gateText is the text of a script, program or makefile of the base that a gate runs.
type gateText struct {
	from, text string
	// commands: its lines are commands of a shell.
	commands bool
}

// gateTexts are the scripts and programs that the gate's command reaches, and of each
// Makefile what its goals run, once. They judge, and so does the data that they alone read.
func (d *diff) gateTexts() ([]gateText, error) {
	if d.texts != nil {
		return d.texts, nil
	}
	if err := d.follow(); err != nil {
		return nil, err
	}
	n := naming{diff: d, dir: path.Clean("./" + d.Gate.Dir)}
	n.index()
	d.texts = []gateText{}
	commands := d.Gate.Run
	var todo, makefiles []string
	for _, p := range slices.Sorted(maps.Keys(d.base)) {
		switch {
		case isMakefile(p) && n.near(p):
			makefiles = append(makefiles, p)
		case d.direct[p]:
			todo = append(todo, p)
		case path.Base(p) == "package.json" && n.near(p):
			data, err := d.Content(d.base[p].ID)
			if err != nil {
				return nil, err
			}
			commands += "\n" + strings.Join(d.packageCommands(data), "\n")
		}
	}
	read := map[string]bool{}
	for len(d.texts) < mostFollowed {
		if len(todo) == 0 {
			goals, made := goalsOf(commands)
			if !made || len(makefiles) == 0 {
				break
			}
			todo, makefiles = makefiles[:1], makefiles[1:]
			commands += "\nmake " + strings.Join(goals, " ")
		}
		p := todo[0]
		todo = todo[1:]
		f := d.base[p]
		if read[p] || !isFile(f) {
			continue
		}
		read[p] = true
		data, err := d.Content(f.ID)
		if err != nil {
			return nil, err
		}
		if len(data) > longestScript {
			continue
		}
		t := gateText{from: p, text: string(data), commands: isMakefile(p)}
		if t.commands {
			goals, _ := goalsOf(commands)
			t.text = portion(t.text, goals)
		} else {
			lang := sourceLanguage(p, t.text)
			if t.commands = lang == "shell" || lang == "" && isScript(f); !t.commands && lang == "" {
				continue // the gate's command names it: it is data itself
			}
		}
		if t.commands {
			commands += "\n" + t.text
		}
		d.texts = append(d.texts, t)
		todo = append(todo, n.mentioned(p, t.text)...)
		for _, q := range slices.Sorted(maps.Keys(d.mentions)) {
			is, err := d.checks(d.base[q])
			if err != nil {
				return nil, err
			}
			if is && strings.Contains(t.text, path.Base(q)) {
				todo = append(todo, q)
			}
		}
	}
	return d.texts, nil
}

// makeCommand matches a command of make, with its arguments.
var makeCommand = lazyregexp.New(`(?m)(?:^|[\s;&|(@"'/])(?:g?make|\$[({]MAKE[)}])((?:[ \t]+[^\s;&|()]+)*)`)

// goalsOf are the goals of the commands of make in a text. made: it has such a command.
func goalsOf(text string) (goals []string, made bool) {
	for _, m := range makeCommand.FindAllStringSubmatch(text, -1) {
		made = true
		words := strings.Fields(m[1])
		for i, w := range words {
			option := strings.HasPrefix(w, "-") || strings.Contains(w, "=") || i > 0 && slices.Contains([]string{"-C", "-f", "-I", "-o", "-W"}, words[i-1])
			if w = strings.Trim(w, `"'`); !option && !slices.Contains(goals, w) {
				goals = append(goals, w)
			}
		}
	}
	return goals, made
}

// ruleLine matches the beginning of a rule of a Makefile: its targets, and what they need.
var ruleLine = lazyregexp.New(`^([^\s#:=][^#:=]*?)\s*::?(?:[^=:]|$)(.*)$`)

// portion returns the lines of a Makefile that its goals run: those outside of rules, and
// the rules of the goals and of what they need. Where that is not known, it is all of it.
func portion(makefile string, goals []string) string {
	type rule struct{ head, needs, text string }
	var rules []*rule
	var out strings.Builder
	targets := map[string]bool{}
	for _, line := range strings.Split(strings.ReplaceAll(makefile, "\\\n", " "), "\n") {
		m := ruleLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "\t") && len(rules) > 0:
			rules[len(rules)-1].text += line + "\n"
		case m == nil:
			out.WriteString(line + "\n")
		default:
			rules = append(rules, &rule{m[1], m[2], line + "\n"})
			for t := range strings.FieldsSeq(m[1]) {
				targets[t] = true
			}
		}
	}
	if len(goals) == 0 {
		first := slices.IndexFunc(rules, func(r *rule) bool { return !strings.HasPrefix(r.head, ".") })
		if first < 0 {
			return makefile
		}
		goals = strings.Fields(rules[first].head)
	}
	wanted := map[string]bool{}
	for len(goals) > 0 {
		goal := goals[0]
		goals = goals[1:]
		if wanted[goal] {
			continue
		}
		wanted[goal] = true
		for _, r := range rules {
			if !slices.Contains(strings.Fields(r.head), goal) {
				continue
			}
			if strings.Contains(r.needs, "$") {
				return makefile
			}
			inner, _ := goalsOf(r.text)
			goals = slices.Concat(goals, strings.Fields(r.needs), inner)
		}
	}
	for _, r := range rules {
		if strings.ContainsAny(r.head, "$%") || slices.ContainsFunc(strings.Fields(r.head), func(t string) bool { return wanted[t] }) {
			out.WriteString(r.text)
		}
	}
	return out.String()
}

// reads reports whether the text takes what it expects from a file of data. A program has
// its name as a literal. Of the commands of a shell those count that compare output with it,
// or run it: what others print or look for may be the product.
func (t gateText) reads(p, gateDir string) bool {
	name := path.Base(p)
	if !strings.Contains(t.text, name) {
		return false
	}
	if !t.commands {
		return slices.Contains(dataNames, strings.ToLower(path.Ext(name)))
	}
	for _, line := range strings.Split(strings.ReplaceAll(t.text, "\\\n", " "), "\n") {
		line = strings.TrimLeft(line, "\t @+")
		if !strings.Contains(line, name) || strings.HasPrefix(line, "#") {
			continue
		}
		for _, c := range shell.Split(line) {
			for i, w := range c.Words {
				if t.names(w, p, gateDir) && expectsFrom(c.Words, i) {
					return true
				}
			}
		}
	}
	return false
}

// anyData reports whether a file is data by its ending. Another one must stand in a
// command that reads it.
func anyData(p string) bool { return slices.Contains(dataNames, strings.ToLower(path.Ext(p))) }

// expectsFrom reports whether a command takes what it expects from the file of its word:
// it compares output with it, or runs it. Of two files of the tree that are compared, none is
// known to be the expectation.
func expectsFrom(words []string, i int) bool {
	switch command := path.Base(words[0]); command {
	case ".", "source", "include", "-include", "sinclude":
		return true
	case "diff", "cmp", "comm":
		for n, w := range words {
			if n > 0 && n != i && !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "/") && !strings.ContainsAny(w, "$`<>") {
				return false
			}
		}
		return true
	default:
		return i > 0 && strings.HasSuffix(command, "grep") && strings.HasPrefix(words[i-1], "-") && strings.HasSuffix(words[i-1], "f")
	}
}

// names reports whether a word of a script is the path of a file, seen from the script
// or from the gate's folder; where it has a variable, its last part counts.
func (t gateText) names(word, p, gateDir string) bool {
	for _, w := range nameLike.FindAllString(strings.TrimLeft(word, "<"), -1) {
		if w == p || path.Join(gateDir, w) == p || path.Join(dirOf(t.from), w) == p {
			return true
		}
		if w = strings.TrimPrefix(w, "./"); anyData(p) && (strings.HasSuffix(p, "/"+w) || strings.ContainsAny(word, "$`") && path.Base(w) == path.Base(p)) {
			return true
		}
	}
	return false
}

// includes reports whether the text runs a file as a part of itself, if it is there.
func (t gateText) includes(p, gateDir string) bool {
	if !t.commands || !strings.Contains(t.text, path.Base(p)) {
		return false
	}
	for _, line := range strings.Split(t.text, "\n") {
		for _, c := range shell.Split(strings.TrimLeft(line, "\t @+")) {
			for i, w := range c.Words {
				if i > 0 && slices.Contains([]string{".", "source", "include", "-include", "sinclude"}, c.Words[0]) && t.names(w, p, gateDir) {
					return true
				}
			}
		}
	}
	return false
}

// included reports whether a script or makefile of the gate would run a new file.
func (d *diff) included(p string) (bool, error) {
	texts, err := d.gateTexts()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(texts, func(t gateText) bool { return t.includes(p, d.gateDir()) }), nil
}

func (d *diff) gateDir() string { return path.Clean("./" + d.Gate.Dir) }
