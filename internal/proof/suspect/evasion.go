package suspect

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// What work does with which a gate measures or inspects less than it seems to.
const (
	namesReport     = "mentions a report that a gate reads, or what decides what the report counts"
	writesReport    = "writes the report that a tool in the gate's command should write"
	unseenCode      = "contains code, but linters and coverage tools skip files with such a name"
	constrainedCode = "has a build tag, so linters and coverage tools skip it unless the tag is set"
	constrainedNow  = "gets a build tag, so gates skip it unless the tag is set"
	nestedModule    = "makes its folder a Go module of its own, which ./... leaves out"
	ignoredByTools  = "makes tools that follow .gitignore skip "
	declaresTypes   = "declares types, which the type checker accepts without checking them"
	runsAsLoaded    = "runs code when the file is loaded, which coverage counts and no test checks"
	marksImage      = "is marked as verified by the work itself"
)

// Evasions returns what the work adds with which the gates, which have these duties, measure or
// inspect less than they seem to: lines of sources and tests that name the report of a gate; code and types
// where tools do not look or believe them; files that become ignored; and images that the
// work itself marks as verified. Honest work can have these: a person should look.
// Sorted by what it does, then by file. all is false where the work changes more files than are
// searched.
func Evasions(base, work []proof.File, gates []loop.Gate, duties judge.Duties, content func(id string) ([]byte, error)) (found []Finding, all bool, err error) {
	e := evasions{before: proof.Index(base), after: proof.Index(work), content: content, old: map[string]bool{}, lints: duties.Lints, task: duties.Task}
	if slices.ContainsFunc(gates, func(g loop.Gate) bool { return g.Kind == loop.KindVisual }) {
		found = append(found, e.marked()...)
	}
	report := judge.ReportPattern(gates, duties.Measures)
	compiles, compared := builds.MatchString(duties.Texts) || compilesAll.MatchString(duties.Texts), asksGit.MatchString(duties.Texts)
	if report == nil && !duties.Inspects && !compiles && !compared {
		return found, true, nil
	}
	e.was, e.now = inspected(e.before, e.after), inspected(e.after, e.before)
	all = len(e.was) <= mostSuspectFiles && len(e.now) <= mostSuspectFiles
	e.was, e.now = e.was[:min(len(e.was), mostSuspectFiles)], e.now[:min(len(e.now), mostSuspectFiles)]
	e.data = sync.OnceValue(func() []string { return changedData(e.after, e.before) })
	e.paths = sync.OnceValue(func() []string { return slices.Concat(proof.SortedPaths(e.after), proof.SortedPaths(e.before)) })
	gone, err := e.gone(gates, duties)
	if err != nil {
		return nil, false, err
	}
	found = append(found, gone...)
	declares := func(p string) bool { return declared.MatchString(p) }
	if duties.Inspects && slices.ContainsFunc(e.now, declares) {
		if e.checksTypes, err = e.typesChecked(gates); err != nil {
			return nil, false, err
		}
	}
	for _, p := range e.was {
		text, err := content(e.before[p].ID)
		if err != nil {
			return nil, false, err
		}
		syntax.AddLines(e.old, string(text))
	}
	for _, p := range e.now {
		text, err := content(e.after[p].ID)
		if err != nil {
			return nil, false, err
		}
		if report != nil && proof.SourceLanguage(p, string(text)) != "" {
			found = append(found, e.reports(p, string(text), report, gates)...)
		}
		switch {
		case duties.Inspects:
			found = append(found, e.hides(p, string(text))...)
			if duties.Measures {
				found = append(found, e.loads(p, proof.LanguageOf(p), string(text))...)
			}
		case compared && path.Base(p) == ".gitignore":
			found = append(found, e.ignores(p, string(text), func(q string) bool { return e.before[q].ID != "" })...)
		case compiles && (!runsTests(gates, duties) || e.untested(p, duties)):
			found = append(found, e.constrained(p, proof.LanguageOf(p), string(text))...)
		}
	}
	return found, all, nil
}

// asksGit matches a command that looks at what git sees.
var asksGit = lazyregexp.New(`\bgit\s+(?:diff|status|ls-files)\b`)

// evasions searches one change.
type evasions struct {
	before, after map[string]proof.File
	// was and now are the changed files that are searched, on the base and in the work.
	was, now []string
	// data are the changed files that are no sources, and paths all files of both.
	data, paths func() []string
	// old are the lines of changed files of the base.
	old map[string]bool
	// lints: a gate inspects by more than coverage. task is the text of the task.
	lints bool
	task  string
	// checksTypes: something may check types; see typesChecked.
	checksTypes bool
	content     func(id string) ([]byte, error)
}

// inspected are the plain files that the other commit does not have like this, without documents
// and data that no tool inspects.
func inspected(files, other map[string]proof.File) (out []string) {
	for _, p := range proof.SortedPaths(files) {
		data := plainData(p) && path.Base(p) != "go.mod" && !slices.Contains(inspectedText, path.Ext(p))
		if f := files[p]; proof.IsFile(f) && f.ID != other[p].ID && !data && !proof.IsDocument(strings.ToLower(path.Base(p))) {
			out = append(out, p)
		}
	}
	return out
}

// writesFile matches a line that writes a file, or puts one in its place.
var writesFile = lazyregexp.New(`(?i)\bwrite|\brename|\bcopy|\breplace\(|\bmove|\bcp\b|\bmv\b|\btee\b|link\w*\(|\bopen\w*\([^)\n]*["'][wax]|\bcreate|>\s*["']?[\w./]`)

// reports are the new lines of a source that name a report; of one that a gate's command has a
// tool write (--reporter-destination=lcov.info), those that write it are told apart.
func (e evasions) reports(p, text string, report *lazyregexp.Regexp, gates []loop.Gate) []Finding {
	found, lines := e.lines(p, text, report, namesReport), strings.Split(text, "\n")
	for i, f := range found {
		line := lines[f.Line-1]
		if !writesFile.MatchString(line) {
			continue
		}
		for _, name := range wordOfPath.FindAllString(line, -1) {
			given := regexp.MustCompile(`(?:^|\s)--?[\w-]+[= ]["']?(?:[\w-]+:)?(?:[\w.-]+/)*` + regexp.QuoteMeta(name) + `(?:["']|\s|$)`)
			if report.MatchString(name) && slices.ContainsFunc(gates, func(g loop.Gate) bool { return given.MatchString(g.Run) }) {
				found[i].What = writesReport
			}
		}
	}
	return found
}

// lines are the new lines of a file that match, outside of comments.
func (e evasions) lines(p, text string, pattern *lazyregexp.Regexp, what string) (out []Finding) {
	if len(text) > syntax.LongestSource || !pattern.MatchString(text) {
		return nil
	}
	return newMatches(p, proof.SourceLanguage(p, text), text, what, e.old, pattern)
}

// verifiedMark begins the names of images that are verified (gate.Visual).
const verifiedMark = "verified-"

// marked are the images that got the mark in the work.
func (e evasions) marked() (out []Finding) {
	for _, p := range proof.SortedPaths(e.after) {
		if _, had := e.before[p]; !had && strings.HasPrefix(path.Base(p), verifiedMark) && slices.Contains(imageEndings, strings.ToLower(path.Ext(p))) {
			out = append(out, Finding{Path: p, What: marksImage})
		}
	}
	return out
}

// imageEndings are those that a visual gate looks at.
var imageEndings = []string{".png", ".jpg", ".jpeg", ".webp", ".gif"}
