package judge

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// otherGates are the gates of other work: what they run and read, on the base and with the
// work.
type otherGates struct {
	before, after *gateRun
	// commands are their command lines, own those of the gates of this work.
	commands, own string
}

// runBy are the changes from one commit to another, and what command lines run on the first.
func (o Obeyed) runBy(commands []string, from, to []proof.File) (*gateRun, error) {
	d, err := Case{Gate: loop.Gate{Run: strings.Join(commands, "\n")}, Base: from, Work: to, Content: o.Content}.diff()
	if err != nil {
		return nil, err
	}
	if len(d.changed) == 0 || len(commands) == 0 {
		return &gateRun{reach: &reach{Diff: d}}, nil
	}
	r, err := d.reach()
	if err != nil {
		return nil, err
	}
	return r.run()
}

func (o Obeyed) otherGates() (g otherGates, err error) {
	g = otherGates{commands: strings.Join(o.OtherGates, "\n"), own: strings.Join(o.Gates, "\n")}
	if g.before, err = o.runBy(o.OtherGates, o.Base, o.Work); err == nil {
		g.after, err = o.runBy(o.OtherGates, o.Work, o.Base)
	}
	return g, err
}

// takes returns what the gates of other work do with a changed file by which they judge;
// "" is nothing. A script that they name and that was not there before judges, too, unless
// the gates of this work name it: it is what this work makes.
func (g otherGates) takes(p string) (how string, err error) {
	at := g.before
	_, had := at.Before[p]
	if !had {
		at = g.after
	}
	if len(at.texts) == 0 {
		return "", nil
	}
	if IsMakefile(p) {
		if made, err := g.makes(p); made || err != nil {
			return "a gate of other work runs it", err
		}
	}
	runs := func(t gateText) bool { return !IsMakefile(p) && t.from == p || t.includes(p, ".") }
	switch {
	case slices.ContainsFunc(at.texts, runs):
		if had {
			return "a gate of other work runs it", nil
		}
		if g.names(at, p) && !g.ours(p) {
			return "a gate of other work runs it, and it is new", nil
		}
		return "", nil
	case !slices.ContainsFunc(at.texts, func(t gateText) bool { return t.reads(at.Diff, p) }):
		is, err := at.expects(p)
		if err != nil || !is || !had && g.ours(p) {
			return "", err
		}
		return "a gate of other work compares with it", nil
	}
	if is, err := at.holdsCases(at.Before[p]); err != nil || !is || !had && g.ours(p) {
		return "", err
	}
	return "a gate of other work reads it", nil
}

// makes reports whether these gates make a goal by a makefile that the gates of this work know
// as one with new goals alone.
func (g otherGates) makes(p string) (bool, error) {
	base, err := g.before.ContentOf(g.before.Before[p])
	if err != nil {
		return false, err
	}
	work, err := g.before.ContentOf(g.before.After[p])
	if err != nil {
		return false, err
	}
	goals, only := newGoals(string(base), string(work))
	asked, _ := goalsOf(g.commands + "\n" + g.before.commands)
	return only && slices.ContainsFunc(goals, func(name string) bool { return slices.Contains(asked, name) }), nil
}

// names reports whether a command of these gates, or a script that they run, names a file.
func (g otherGates) names(at *gateRun, p string) bool {
	name := path.Base(p)
	return strings.Contains(g.commands, name) || slices.ContainsFunc(at.texts, func(t gateText) bool { return t.from != p && strings.Contains(t.text, name) })
}

// ours reports whether a gate of this work names a file, or the module that it is.
func (g otherGates) ours(p string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.TrimSuffix(path.Base(p), path.Ext(p))) + `\b`).MatchString(g.own)
}

var (
	// codeIn matches what is more than data in a module of Python or JavaScript.
	codeIn = lazyregexp.New(`\b(?:def|class|lambda|import|function|require|eval|exec)\b|=>`)
	// plainLibraries are modules of Python's library that programs which test import.
	plainLibraries = []string{
		"argparse", "ast", "asyncio", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum", "fractions", "functools", "glob",
		"hashlib", "html", "http", "importlib", "inspect", "io", "itertools", "json", "locale", "logging", "math", "operator", "os", "pathlib", "platform", "pprint", "random", "re",
		"shlex", "shutil", "signal", "socket", "sqlite3", "statistics", "string", "subprocess", "sys", "tempfile", "textwrap", "threading", "time", "traceback", "types", "typing",
		"unittest", "urllib", "uuid", "warnings", "xml", "zipfile",
	}
)

// expects reports whether a module holds nothing but what a program of a gate expects: it
// is data, the program imports it beside the product, and the product does not.
func (g *gateRun) expects(p string) (bool, error) {
	lang := proof.LanguageOf(p)
	if lang != "python" && lang != "js" || !proof.IsFile(g.Before[p]) {
		return false, nil
	}
	text, err := g.Content(g.Before[p].ID)
	if err != nil || codeIn.MatchString(string(text)) || len(bytes.TrimSpace(text)) == 0 {
		return false, err
	}
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	calls := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\.\w+\(`) // of a function that it does not have yet
	if slices.ContainsFunc(g.texts, func(t gateText) bool { return calls.MatchString(t.text) && t.imports(p) }) {
		return false, nil
	}
	if !slices.ContainsFunc(g.texts, func(t gateText) bool { return t.imports(p) && t.importsOther(p) }) {
		return false, nil
	}
	sources, more, err := g.reading(func(f proof.File) bool {
		_, test := g.isTest(f.Path)
		return proof.LanguageOf(f.Path) == lang && !test && f.Path != p && !slices.ContainsFunc(g.texts, func(t gateText) bool { return t.from == f.Path })
	})
	for _, f := range sources {
		data, err := g.Content(f.ID)
		if err != nil || (gateText{from: f.Path, text: string(data)}).imports(p) {
			return false, err
		}
	}
	return !more, err
}

// importsOther reports whether a program imports a module that is neither a file of data nor
// one of the language's library: what it tests.
func (t gateText) importsOther(p string) bool {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if proof.LanguageOf(p) == "js" {
		return slices.ContainsFunc(syntax.RelativeImports(t.text), func(m string) bool { return strings.TrimSuffix(path.Base(m), path.Ext(m)) != name })
	}
	return slices.ContainsFunc(syntax.PythonBindings(t.text), func(b syntax.Binding) bool {
		top := syntax.Before(strings.TrimLeft(b.Module, "."), ".")
		return top != "" && b.Module != name && !strings.HasSuffix(b.Module, "."+name) && b.Attr != name && !slices.Contains(plainLibraries, top)
	})
}
