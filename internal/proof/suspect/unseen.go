package suspect

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// hides is what a changed file keeps from the tools that inspect the product.
func (e evasions) hides(p, text string) (out []Finding) {
	_, had := e.before[p]
	switch base := path.Base(p); {
	case base == ".gitignore":
		return e.ignores(p, text, func(q string) bool { return e.after[q].ID != "" && proof.LanguageOf(q) != "" })
	case base == "go.mod" && !had && nestedIn(e.before, p) && !strings.Contains(e.task, proof.DirOf(p)):
		return []Finding{{Path: p, What: nestedModule}}
	case strings.HasSuffix(p, ".d.ts") || strings.HasSuffix(p, ".d.mts") || strings.HasSuffix(p, ".d.cts"):
		if !e.checksTypes {
			return nil
		}
		out = e.lines(p, text, ambientTypes, declaresTypes)
		if stem := strings.SplitN(p, ".d.", 2)[0]; !had && len(out) == 0 && e.addsScript(stem) {
			out = append(out, Finding{Path: p, What: declaresTypes})
		}
		return out
	}
	lang := proof.SourceLanguage(p, text)
	if _, test := proof.IsTest(p); test || len(text) > syntax.LongestSource {
		return nil
	}
	out = append(out, e.constrained(p, lang, text)...)
	if !had && lang != "" && (strings.HasPrefix(path.Base(p), ".") && !strings.Contains(path.Base(p), "rc.") || inHiddenFolder(p)) {
		out = append(out, Finding{Path: p, What: unseenCode})
	}
	for _, s := range runsAsCode(p, lang, text, e.data()) {
		out = append(out, Finding{Path: s.path, What: unseenCode})
	}
	if searched := suspicions()[lang] != nil; !searched && (lang != "" || slices.Contains(inspectedText, path.Ext(p))) {
		out = append(out, silencedIn(p, text, judge.Duties{Inspects: true, Lints: e.lints}, e.old)...)
	}
	return out
}

// ownFoldersOfTools are hidden folders in which sources are usual that are no part of a product.
var ownFoldersOfTools = []string{".github", ".gitlab", ".circleci", ".husky", ".githooks", ".storybook", ".vitepress", ".vscode", ".devcontainer", ".config", ".changeset", ".yarn", ".claude", ".cursor", ".codex", ".gemini", ".opencode", ".buildkite", ".ci"}

// inHiddenFolder: tools that inspect a tree leave such folders out.
func inHiddenFolder(p string) bool {
	return slices.ContainsFunc(strings.Split(proof.DirOf(p), "/"), func(dir string) bool {
		return len(dir) > 1 && dir[0] == '.' && !slices.Contains(ownFoldersOfTools, dir)
	})
}

// addsScript reports whether the work adds a source of JavaScript of a name without its ending.
func (e evasions) addsScript(stem string) bool {
	return slices.ContainsFunc([]string{".js", ".mjs", ".cjs", ".jsx"}, func(end string) bool {
		_, had := e.before[stem+end]
		_, has := e.after[stem+end]
		return has && !had
	})
}

// buildTags matches the constraint of a file of Go; its group is the condition.
var buildTags = lazyregexp.New(`(?m)^//go:build ([^\n]+)`)

// constrained is a source of Go that a new constraint takes out of what tools look at: one with
// a tag that no system, compiler or usual tool has. A program is left out as "ignore".
func (e evasions) constrained(p, lang, text string) []Finding {
	m := buildTags.FindStringSubmatch(text)
	if lang != "go" || m == nil || e.old[m[0]] || strings.Contains(text, "\npackage main\n") {
		return nil
	}
	unusual := func(tag string) bool {
		return !isUsualTag(tag) && !strings.HasPrefix(tag, "go1") && strings.Trim(tag, "0123456789") != ""
	}
	if !slices.ContainsFunc(syntax.Word.FindAllString(m[1], -1), unusual) {
		return nil
	}
	if _, had := e.before[p]; had {
		return []Finding{{Path: p, What: constrainedNow}}
	}
	return []Finding{{Path: p, What: constrainedCode}}
}

// inspectedText are extensions of files that are no sources of a language and that
// linters read.
var inspectedText = []string{".css", ".scss", ".sass", ".less", ".yml", ".yaml", ".tf", ".sql", ".proto", ".html", ".graphql", ".erb"}

// ambientTypes match declarations that give types to modules and globals, and any.
var ambientTypes = lazyregexp.New(`\bdeclare\s+(?:module|global|namespace|const|let|var|function|class)\b|^\s*(?:export\s+)?interface\b|[:<=|&,]\s*any\b`)

// nestedIn reports whether a folder above that of a go.mod is a module of Go.
func nestedIn(files map[string]proof.File, p string) bool {
	for dir := proof.DirOf(p); dir != "."; {
		dir = proof.DirOf(dir)
		if _, outer := files[path.Join(dir, "go.mod")]; outer {
			return true
		}
	}
	return false
}

// ignores are the new patterns of a .gitignore that match such files, as sources: linters and
// searches that read it do not look at them then, nor does git at files of the base.
func (e evasions) ignores(p, text string, such func(string) bool) (out []Finding) {
	for n, line := range strings.Split(text, "\n") {
		if e.old[strings.TrimSpace(line)] {
			continue
		}
		glob := proof.IgnoreGlob(proof.DirOf(p), strings.TrimRight(line, " \r"))
		if glob == "" {
			continue
		}
		for _, f := range e.paths() {
			if such(f) && (doublestar.MatchUnvalidated(glob, f) || doublestar.MatchUnvalidated(glob+"/**", f)) {
				out = append(out, Finding{Path: p, Line: n + 1, What: ignoredByTools + f})
				break
			}
		}
	}
	return out
}

// callsOnLoad matches a call as a file is loaded, its group the function; starts are the names of those
// by which programs begin.
var (
	callsOnLoad = lazyregexp.New(`^(?:\w+\s*=\s*|(?:const|let|var)\s+\w+\s*=\s*|await\s+)?(\w+)\(`)
	starts      = lazyregexp.New(`(?i)^(?:_?main|run|cli|app|serve|start|create\w*|make\w*|build\w*|init\w*|setup\w*|register\w*|load\w*|define\w*|get_?logger)$`)
)

// loads are the new lines of a source that call functions of the base in it as it is loaded: a tool of
// coverage counts what they run, and no test looks at it.
func (e evasions) loads(p, lang, text string) (out []Finding) {
	how, known := functionsIn(lang)
	if _, had := e.before[p]; !known || !had || lang == "go" {
		return nil
	}
	own := map[string]bool{}
	for _, f := range how.Functions(text) {
		own[f.Name] = true
	}
	for n, code := range newCode(lang, text, e.old) {
		if m := callsOnLoad.FindStringSubmatch(code); m != nil && own[m[1]] && !starts.MatchString(m[1]) {
			out = append(out, Finding{Path: p, Line: n, What: runsAsLoaded})
		}
	}
	return out
}
