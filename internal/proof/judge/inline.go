package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
	"ralph/internal/text/shell"
)

// Programs can stand in a command: python3 -c "…", node -e "…", and here-documents. They
// judge like a program in a file, and so do the data and the modules that they take.

// inlineOptions are the options before a program in a command, by interpreter, and the
// ending of a source of its language.
var inlineOptions = []struct{ interpreter, ending, options string }{
	{"python", ".py", "-c"},
	{"pypy", ".py", "-c"},
	{"node", ".js", "-e -p --eval --print"},
	{"deno", ".js", "eval"},
	{"bun", ".js", "-e --eval"},
	{"ruby", ".rb", "-e"},
	{"perl", ".pl", "-e -E"},
	{"php", ".php", "-r"},
}

var (
	// startsOthers matches code that runs a program, or text as code.
	startsOthers = lazyregexp.New(`\bsubprocess\b|\bos\.(?:system|popen|exec|spawn)|\bchild_process\b|\brunpy\b|(?:^|[^\w.])(?:exec|eval|system|require_relative)\b|\bFunction\(|` + "`")
	// comparesItself matches code that compares, or ends with a result of its own.
	comparesItself = lazyregexp.New(`\bassert|[=!]=|\braise\b|\bthrow\b|\bexit\(`)
)

// inline returns the programs in the commands of a text that use the project. The commands
// run in the folder dir. A program that only reads a file of data checks that file.
func (d *Diff) inline(t gateText, dir string) (found []gateText) {
	add := func(folder, interpreter, code string) {
		for _, o := range inlineOptions {
			if !strings.HasPrefix(path.Base(interpreter), o.interpreter) {
				continue
			}
			p := gateText{from: path.Join(dir, folder, "-"+o.ending), text: code}
			if d.usesProject(p) && !slices.Contains(found, p) {
				found = append(found, p)
			}
			return
		}
	}
	for _, c := range t.allCommands() {
		for i, w := range c.Words[:len(c.Words)-1] {
			if i > 0 && startsInline(c.Words[0], w) {
				add(c.Dir, c.Words[0], c.Words[i+1])
				break
			}
		}
	}
	lines := strings.Split(t.text, "\n")
	for _, h := range shell.HereDocuments(lines) {
		for _, c := range shell.Split(strings.TrimLeft(lines[h.Line], "\t @+-")) {
			add(c.Dir, c.Words[0], strings.Join(lines[h.First:h.End], "\n"))
		}
	}
	return found
}

// startsInline reports whether a program follows an option of an interpreter; short
// options can stand in one word (python3 -Bc).
func startsInline(interpreter, option string) bool {
	return slices.ContainsFunc(inlineOptions, func(o struct{ interpreter, ending, options string }) bool {
		return strings.HasPrefix(path.Base(interpreter), o.interpreter) && slices.ContainsFunc(strings.Fields(o.options), func(known string) bool {
			return option == known || len(known) == 2 && len(option) > 2 && option[0] == '-' && option[1] != '-' && strings.HasSuffix(option, known[1:])
		})
	})
}

// allCommands are the commands of a text, read as a whole, since a quoted program has
// several lines, and by its lines, since a quote in a comment may have no end.
func (t gateText) allCommands() (all []shell.Command) {
	var plain []string
	for line := range strings.SplitSeq(strings.ReplaceAll(t.text, "\\\n", " "), "\n") {
		line = strings.TrimLeft(line, "\t @+")
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		plain = append(plain, line)
		all = append(all, shell.Split(strings.TrimPrefix(line, "-"))...)
	}
	return append(all, shell.Split(strings.Join(plain, "\n"))...)
}

// usesProject reports whether a program in a command imports sources of the project, or
// runs something.
func (d *Diff) usesProject(t gateText) bool {
	if startsOthers.MatchString(t.text) {
		return true
	}
	switch proof.LanguageOf(t.from) {
	case "python":
		return d.importsProject(t.text)
	case "js":
		return slices.ContainsFunc(syntax.RelativeImports(t.text), func(m string) bool { return path.Ext(m) != ".json" })
	}
	return false
}

// delegates reports whether a program in a command leaves the comparing to a module of the
// base: it names it and compares nothing, and the module does with values that it holds.
func (d *Diff) delegates(t gateText, q proof.File) (bool, error) {
	name := strings.TrimSuffix(path.Base(q.Path), path.Ext(q.Path))
	if name == "__init__" || name == "index" {
		name = path.Base(proof.DirOf(q.Path))
	}
	if !strings.Contains(t.text, name) || !t.imports(q.Path) && !t.quotes(q.Path) || comparesItself.MatchString(t.text) {
		return false, nil
	}
	data, err := d.Content(q.ID)
	if err != nil || len(data) > longestScript {
		return false, err
	}
	return expectsValues(string(data)), nil
}

// quotes reports whether the text has the path of a file as a literal.
func (t gateText) quotes(p string) bool {
	return slices.ContainsFunc(syntax.Quoted.FindAllStringSubmatch(t.text, -1), func(m []string) bool {
		return path.Join(proof.DirOf(t.from), m[1]) == p
	})
}
