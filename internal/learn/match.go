package learn

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"ralph/internal/scope"
)

// mostShown is how many patterns one prompt shows.
const mostShown = 3

// How close a pattern is to a query. Each step counts for more than everything
// below it.
const (
	far         = iota
	alikeWords  // the same language, and words or a good name
	everywhere  // a note that names no place is meant for each loop
	samePath    // a file that both are about
	sameFailure // the same fingerprint
)

// Match returns the few patterns that fit best, best first: the same failure
// before the same path before language and words; then those that a person
// promoted; then those that helped more often; then the closer, more frequent,
// newer ones. Patterns that are withheld are never among them.
func Match(all []Known, q Query) []Known {
	type ranked struct {
		Known
		tier, overlap int
	}
	var fit []ranked
	for _, k := range all {
		if k.Withheld() != "" || q.Reviewed && k.Review != Promoted {
			continue
		}
		if tier, overlap := q.closeness(k); tier > far {
			fit = append(fit, ranked{k, tier, overlap})
		}
	}
	slices.SortFunc(fit, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(b.tier, a.tier),
			cmp.Compare(approved(b.Known), approved(a.Known)),
			cmp.Compare(b.rate(), a.rate()),
			cmp.Compare(b.overlap, a.overlap),
			cmp.Compare(b.Seen, a.Seen),
			b.Updated.Compare(a.Updated),
			cmp.Compare(a.Num, b.Num),
		)
	})
	var out []Known
	for _, r := range fit[:min(len(fit), mostShown)] {
		out = append(out, r.Known)
	}
	return out
}

// Best returns the few patterns that helped most loops, or that a person promoted
// (reviewed: only these): for a reader without a known task.
func Best(all []Known, reviewed bool) []Known {
	good := slices.DeleteFunc(Search(Usable(all), ""), func(k Known) bool {
		return k.Review != Promoted && (reviewed || k.Helped == 0)
	})
	return good[:min(len(good), mostShown)]
}

func approved(k Known) int {
	if k.Review == Promoted {
		return 1
	}
	return 0
}

// closeness of a pattern to the query, and by how much within its step.
func (q Query) closeness(k Known) (tier, overlap int) {
	words, paths := common(k.Words, q.Words), q.samePaths(k)
	language := len(common(k.Languages, q.Languages)) > 0
	proved := k.Review == Promoted || k.Helped > 0
	overlap = 10*paths + len(words)
	switch {
	case k.Fingerprint != "" && slices.Contains(q.Fingerprints, k.Fingerprint):
		return sameFailure, overlap
	case paths > 0:
		return samePath, overlap
	case k.general():
		return everywhere, overlap
	case language && (len(words) >= 2 || proved && len(words) >= 1):
		return alikeWords, overlap
	}
	return far, 0
}

// general: it was written for all loops.
func (k Known) general() bool {
	return k.Text != "" && k.Fingerprint == "" && len(k.Paths) == 0
}

// samePaths counts the paths that both are about.
func (q Query) samePaths(k Known) int {
	n := 0
	for _, p := range q.Paths {
		one := []string{p}
		if slices.Contains(k.Files, p) || scope.Match(k.Paths, p) || slices.ContainsFunc(k.Files, func(f string) bool { return scope.Match(one, f) }) {
			n++
		}
	}
	return n
}

func common(a, b []string) []string {
	var out []string
	for _, s := range a {
		if slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

// words of a text that tell it from others: lower case, at least three letters,
// none of the usual ones, each once.
func words(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	}) {
		if len(out) == mostWords {
			break
		}
		if len(w) >= 3 && len(w) <= 40 && !slices.Contains(out, w) && !usual(w) {
			out = append(out, w)
		}
	}
	return out
}

func usual(w string) bool {
	_, found := slices.BinarySearch(usualWords(), w)
	return found
}

// usualWords are sorted. Words that every task has do not distinguish tasks.
func usualWords() []string {
	return []string{
		"add", "all", "and", "any", "are", "but", "can", "change", "code", "does", "every", "file", "files", "fix", "for",
		"from", "has", "have", "into", "its", "make", "must", "new", "not", "now", "one", "only", "pass", "passes", "should",
		"task", "test", "tests", "that", "the", "their", "then", "there", "this", "use", "was", "when", "which", "will", "with",
		"work", "you", "your",
	}
}

// languages are the extensions of source files among paths, the most frequent
// first, at most three.
func languages(paths []string) []string {
	count := map[string]int{}
	for _, p := range paths {
		if ext := strings.ToLower(path.Ext(p)); len(ext) > 1 && len(ext) <= 12 && !plain(ext) {
			count[ext]++
		}
	}
	var all []string
	for ext := range count {
		all = append(all, ext)
	}
	slices.SortFunc(all, func(a, b string) int {
		if n := count[b] - count[a]; n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return all[:min(len(all), 3)]
}

// plain files are in every project, in any language.
func plain(ext string) bool {
	return slices.Contains([]string{
		".cfg", ".conf", ".csv", ".env", ".gif", ".ico", ".ini", ".jpeg", ".jpg", ".json", ".lock", ".log", ".map", ".md",
		".mod", ".pdf", ".png", ".rst", ".sum", ".svg", ".toml", ".txt", ".xml", ".yaml", ".yml",
	}, ext)
}

// mentioned returns the files that a text names, by their path or, where that
// is long enough, by their last element; at most that many.
func mentioned(text string, files []string) []string {
	said := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("`'\"()[]{}<>,;:", r)
	}) {
		said[strings.Trim(strings.TrimPrefix(w, "./"), ".!?")] = true
	}
	var out []string
	for _, f := range files {
		base := path.Base(f)
		if said[f] || len(base) >= 4 && strings.Contains(base, ".") && said[base] {
			out = append(out, f)
		}
		if len(out) == mostFiles {
			break
		}
	}
	return out
}
