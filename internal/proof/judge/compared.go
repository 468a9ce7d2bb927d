package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// The scripts and goals of make that a gate runs compare what the product gives with files
// of the tree. Such a file judges, and so does what the product is given beside it.

// reads reports whether the text takes what it expects from a file of data of the base. A
// program has its name as a literal. Of the commands of a shell those count that compare
// output with it, or run it: what others print or look for may be the product.
func (t gateText) reads(d *Diff, p string) bool {
	if !strings.Contains(t.text, path.Base(p)) {
		return false
	}
	if !t.commands {
		return anyData(p)
	}
	return t.commandTakes(p, d.gateDir(), func(words []string, i int) bool {
		return expectsFrom(words, i, func(w string) bool { return t.makes(d, w) })
	})
}

// makes reports whether a word is a file that the base does not have and that the text names
// more than once: one of its commands writes it.
func (t gateText) makes(d *Diff, w string) bool {
	for _, dir := range []string{d.gateDir(), proof.DirOf(t.from)} {
		if _, here := d.Before[path.Join(dir, w)]; here {
			return false
		}
	}
	return strings.Count(t.text, w) > 1
}

// expectsFrom reports whether a command takes what it expects from the file of its word:
// it compares output with it, or runs it. Of two files that are compared, one is known to be
// the expectation where the other one is made, and its own path tells so: documents and code
// that are generated are compared with what is made, too.
func expectsFrom(words []string, i int, made func(word string) bool) bool {
	switch command := path.Base(words[0]); command {
	case "diff", "cmp", "comm":
		for n, w := range words {
			if n > 0 && n != i && !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "/") && !strings.ContainsAny(w, "$`<>") && (!made(w) || !tellsExpected.MatchString(words[i])) {
				return false
			}
		}
		return true
	default:
		return includesFile(words, i) || runsSQL(words, i) || i > 0 && strings.HasSuffix(command, "grep") && patternsFollow.MatchString(words[i-1])
	}
}

// patternsFollow matches the option of grep before a file of patterns.
var patternsFollow = lazyregexp.New(`^(?:-[A-Za-z]*f|--file)$`)

// tellsExpected matches a path that tells of what tests expect.
var tellsExpected = lazyregexp.New(`(?i)expect|golden|\bwant|snapshot|approved|baseline|fixture|correct|reference|(?:^|[^a-z])(?:ref|tests?|cases?)(?:[^a-z]|$)`)

// asks are commands that look at a file, or make one, and hand the product none.
var asks = []string{"diff", "cmp", "comm", "grep", "egrep", "fgrep", "rm", "mkdir", "touch", "chmod", "test", "[", "[[", "echo", "printf", "ls", "wc", "sha256sum"}

// feeds reports whether a command gives the product, or another program, the file of its word.
func feeds(words []string, i int) bool {
	return i > 0 && !slices.Contains(asks, path.Base(words[0])) && !strings.Contains(words[i], ">") && !strings.HasSuffix(words[i-1], ">")
}

// inputOfCheck reports whether a file of data is what a text gives the product before it
// compares what comes out with a file that judges.
func (g *gateRun) inputOfCheck(p string) (bool, error) {
	if !anyData(p) {
		return false, nil
	}
	for _, t := range g.texts {
		if !t.commands || !strings.Contains(t.text, path.Base(p)) || !t.commandTakes(p, g.gateDir(), feeds) {
			continue
		}
		for q, f := range g.Before {
			if q == p || !strings.Contains(t.text, path.Base(q)) || !t.reads(g.Diff, q) {
				continue
			}
			if judges, err := g.holdsCases(f); judges || err != nil {
				return judges, err
			}
		}
	}
	return false, nil
}

var (
	// loopOfFiles matches a loop of a shell; its groups are the variable and the words.
	loopOfFiles = lazyregexp.New(`\bfor\s+(\w+)\s+in\s+([^;\n]+)`)
	comparesIn  = lazyregexp.New(`\b(?:diff|cmp|comm)\b|\[\[?\s[^\n]*\s!?==?\s|\btest\s[^\n]*\s!?=\s`)
)

// isPaired reports whether a file is one of a case that has several, as cases/a.in with
// cases/a.want: a text finds one by a pattern of one folder, puts another ending in the place
// of its own, and compares.
func (g *gateRun) isPaired(p string) bool {
	return slices.ContainsFunc(g.pairing, func(pattern string) bool { return g.pairs(pattern, p) })
}

// pairing are the patterns of files in whose place a text puts others, and compares.
func (t gateText) pairing(gateDir string) (patterns []string) {
	if !t.commands || !comparesIn.MatchString(t.text) {
		return nil
	}
	for _, m := range loopOfFiles.FindAllStringSubmatch(t.text, -1) {
		other := regexp.MustCompile(`\$\{` + m[1] + `[%/]|\bbasename\s+(?:--\s+)?"?\$\{?` + m[1] + `\b`)
		if !other.MatchString(t.text) {
			continue
		}
		for pattern := range strings.FieldsSeq(m[2]) {
			patterns = append(patterns, path.Join(gateDir, pattern))
		}
	}
	return patterns
}

// pairs reports whether a file of the folder of a pattern matches it, and others have its
// name with another ending, or the other way round.
func (d *Diff) pairs(pattern, p string) bool {
	if proof.DirOf(pattern) != proof.DirOf(p) || proof.DirOf(p) == "." || !strings.Contains(path.Base(pattern), "*") || strings.ContainsAny(pattern, "$`") {
		return false
	}
	matches := func(q string) bool { ok, err := path.Match(pattern, q); return ok && err == nil }
	return slices.ContainsFunc(d.sameStem(p), func(q string) bool { return matches(q) != matches(p) })
}

// sameStem are the files of the base with the stem of one, that one included.
func (d *Diff) sameStem(p string) []string {
	return d.stems.get(func() map[string][]string {
		found := map[string][]string{}
		for q := range d.Before {
			found[stemOf(q)] = append(found[stemOf(q)], q)
		}
		return found
	})[stemOf(p)]
}

// stemOf is a path without what follows the first dot of its name.
func stemOf(p string) string {
	name, _, _ := strings.Cut(path.Base(p), ".")
	return path.Join(proof.DirOf(p), name)
}

// folderOf matches a mention of the folder of a file.
func folderOf(p string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^|["'/\s(])` + regexp.QuoteMeta(path.Base(proof.DirOf(p))) + `["'/]`)
}

// comparedBy are the files of data with which commands of the gate compare, sorted.
func (g *gateRun) comparedBy() (out []string, err error) {
	own := gateText{from: path.Join(g.gateDir(), "-"), text: g.Gate.Run, commands: true}
	for _, c := range shell.Split(g.Gate.Run) {
		if i := slices.Index(c.Words, "-c"); i > 0 && i+1 < len(c.Words) && isShell(c.Words[0]) {
			own.text += "\n" + c.Words[i+1]
		}
	}
	for _, p := range proof.SortedPaths(g.Before) {
		reads := func(t gateText) bool { return t.commands && t.reads(g.Diff, p) && !t.includes(p, g.gateDir()) }
		judges := g.direct[p] && reads(own)
		if proof.LanguageOf(p) != "" || !judges && !g.isPaired(p) && !slices.ContainsFunc(g.texts, reads) {
			continue
		}
		if !judges {
			if judges, err = g.holdsCases(g.Before[p]); err != nil {
				return nil, err
			}
		}
		if judges {
			out = append(out, p)
		}
	}
	return out, nil
}
