package suspect

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A program of JavaScript has a file by which it starts. Where nothing loads that file, it ends
// its own process and no other: package.json names it, or it listens as a server. So does a
// program of Python that a gate starts by its name.

var (
	// listens matches a statement of a module by which a server begins.
	listens = lazyregexp.New(`(?m)^(?:(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*)?(?:await\s+)?[\w$.]+(?:\([^()\n]*\))?(?:\.[\w$]+\([^()\n]*\))*\.listen\(`)
	// startScript matches the name of a script that starts a program, preloads an option of node
	// by which a module is loaded into another program.
	startScript = lazyregexp.New(`^(?:start|serve|dev)\b`)
	preloads    = lazyregexp.New(`(?:^|\s)(?:--import|--require|-r|--(?:experimental-)?loader)[=\s]`)
)

// entryOf are the parts of a package.json that name the files by which programs start.
type entryOf struct {
	Name    string            `json:"name"`
	Main    string            `json:"main"`
	Bin     any               `json:"bin"`
	Scripts map[string]string `json:"scripts"`
}

// loadsAnyPython matches what loads a module of Python whose name is not written there.
var loadsAnyPython = lazyregexp.New(`\b(?:import_module|__import__|runpy|spec_from_file_location|SourceFileLoader)\b|\bexec\(`)

// isProgram reports whether gates start a source of Python as a program, and nothing imports it.
// gates are the texts of what gates run.
func (h helpers) isProgram(p, gates string) (bool, error) {
	name := path.Base(p)
	module := regexp.QuoteMeta(strings.TrimSuffix(name, path.Ext(name)))
	starts := regexp.MustCompile(`\bpython[\d.]*(?:\s+-[A-Za-z]+)*\s+["']?(?:[\w./${}-]*/)?` + module + `\.py\b|\b(?:sys\.executable|python[\d.]*["'])\s*,\s*["'](?:[\w./-]*/)?` + module + `\.py["']`)
	loads := regexp.MustCompile(`\bimport\b[^\n#]*\b` + module + `\b|\bfrom\s+[\w.]*\b` + module + `\s+import\b|\bimport\s*\([^)]*\b` + module + `\b`)
	if path.Ext(name) != ".py" || !starts.MatchString(gates) || loads.MatchString(gates) || loadsAnyPython.MatchString(gates) {
		return false, nil
	}
	for _, files := range []map[string]proof.File{h.Before, h.After} {
		for _, q := range proof.SortedPaths(files) {
			if q == p || proof.LanguageOf(q) != "python" || !proof.IsFile(files[q]) {
				continue
			}
			data, err := h.Content(files[q].ID)
			if err != nil || len(data) > syntax.LongestSource || loads.Match(data) || loadsAnyPython.MatchString(string(data)) {
				return false, err
			}
		}
	}
	return true, nil
}

// isEntry reports whether a program starts by a source that nothing loads.
func (h helpers) isEntry(p, lang, text, gates string) (bool, error) {
	if lang == "python" {
		return h.isProgram(p, gates)
	}
	if lang != "js" || !strings.Contains(text, "process") {
		return false, nil
	}
	names := []string{stemOf(p)}
	if path.Base(names[0]) == "index" {
		names = append(names, path.Dir(p))
	}
	entry := listens.MatchString(syntax.WithoutComments(lang, text))
	for _, m := range proof.SortedPaths(h.After) {
		if path.Base(m) != "package.json" || strings.Contains(m, "node_modules/") {
			continue
		}
		data, err := h.Content(h.After[m].ID)
		if err != nil {
			return false, err
		}
		var manifest entryOf
		if json.Unmarshal(data, &manifest) != nil {
			continue
		}
		starts, preloaded := manifest.names(path.Dir(m), p)
		if preloaded {
			return false, nil
		}
		if entry = entry || starts; stemOf(path.Join(path.Dir(m), manifest.Main)) == stemOf(p) {
			names = append(names, path.Dir(m), manifest.Name)
		}
	}
	if !entry {
		return false, nil
	}
	loaded, err := h.loaded(p, names)
	return !loaded && err == nil, err
}

// names reports whether a manifest in a folder names a file as one by which a program starts, and
// whether a script of it loads the file into another program.
func (e entryOf) names(dir, p string) (starts, preloaded bool) {
	is := func(word string) bool { return word != "" && stemOf(path.Join(dir, word)) == stemOf(p) }
	starts = is(e.Main)
	switch bin := e.Bin.(type) {
	case string:
		starts = starts || is(bin)
	case map[string]any:
		for _, file := range bin {
			word, _ := file.(string)
			starts = starts || is(word)
		}
	}
	for name, script := range e.Scripts {
		for part := range strings.FieldsFuncSeq(script, func(r rune) bool { return strings.ContainsRune("&|;", r) }) {
			words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" \t='\"", r) })
			named := slices.ContainsFunc(words, is)
			starts = starts || named && startScript.MatchString(name)
			preloaded = preloaded || named && preloads.MatchString(part)
		}
	}
	return starts, preloaded
}

// loaded reports whether a source or test of either version may load a file that has these names.
func (h helpers) loaded(file string, names []string) (bool, error) {
	for _, files := range []map[string]proof.File{h.Before, h.After} {
		for _, p := range proof.SortedPaths(files) {
			if p == file || proof.LanguageOf(p) != "js" || !proof.IsFile(files[p]) {
				continue
			}
			data, err := h.Content(files[p].ID)
			if err != nil || len(data) > syntax.LongestSource {
				return true, err
			}
			text := syntax.WithoutComments("js", string(data))
			if syntax.LoadsComputed.MatchString(text) {
				return true, nil
			}
			for _, i := range syntax.ScriptImports(text) {
				name := i.Module
				if i.Relative() {
					name = stemOf(path.Join(path.Dir(p), name))
				}
				if slices.Contains(names, name) {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// stemOf is the path of a source of JavaScript without its ending.
func stemOf(p string) string {
	p = path.Clean(p)
	if proof.LanguageOf(p) == "js" {
		return strings.TrimSuffix(p, path.Ext(p))
	}
	return p
}
