package learn

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// Words of a text that tell it from others: lower case, at least three letters,
// none of the usual ones, each once.
func Words(text string) []string {
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

// usualWords are sorted. Words that each task has say nothing about one.
func usualWords() []string {
	return []string{
		"add", "all", "and", "any", "are", "but", "can", "change", "code", "does", "every", "file", "files", "fix", "for",
		"from", "has", "have", "into", "its", "make", "must", "new", "not", "now", "one", "only", "pass", "passes", "should",
		"task", "test", "tests", "that", "the", "their", "then", "there", "this", "use", "was", "when", "which", "will", "with",
		"work", "you", "your",
	}
}

// Languages are the extensions of source files among paths, the most frequent
// first, at most three.
func Languages(paths []string) []string {
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

// plain files are in every project, whatever its language.
func plain(ext string) bool {
	return slices.Contains([]string{
		".cfg", ".conf", ".csv", ".env", ".gif", ".ico", ".ini", ".jpeg", ".jpg", ".json", ".lock", ".log", ".map", ".md",
		".mod", ".pdf", ".png", ".rst", ".sum", ".svg", ".toml", ".txt", ".xml", ".yaml", ".yml",
	}, ext)
}

// Mentioned are those of the files that a text names, by their path or, where
// that is long enough to mean something, by their last element; at most so many.
func Mentioned(text string, files []string) []string {
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
