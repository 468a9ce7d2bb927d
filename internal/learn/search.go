package learn

import (
	"cmp"
	"slices"
	"strings"
)

// Search is every pattern that holds all words of a text, wherever: those first
// that hold it as it stands, then those that help. An empty text finds all.
func Search(all []Known, text string) []Known {
	text = strings.ToLower(strings.TrimSpace(text))
	words := strings.Fields(text)
	var whole, parts []Known
	for _, k := range all {
		said := strings.ToLower(k.said())
		switch {
		case strings.Contains(said, text):
			whole = append(whole, k)
		case !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(said, w) }):
			parts = append(parts, k)
		}
	}
	return append(useful(whole), useful(parts)...)
}

// useful sorts: what is shown to nobody comes last, what helps first.
func useful(all []Known) []Known {
	slices.SortStableFunc(all, func(a, b Known) int {
		return cmp.Or(
			cmp.Compare(last(a), last(b)), cmp.Compare(b.Helped, a.Helped), cmp.Compare(approved(b), approved(a)),
			cmp.Compare(b.rate(), a.rate()), cmp.Compare(b.Seen, a.Seen), cmp.Compare(b.Num, a.Num),
		)
	})
	return all
}

// last come those that are shown to nobody.
func last(k Known) int {
	if k.Review == Dropped || k.Worn() {
		return 1
	}
	return 0
}

// said is all text of a pattern.
func (k Known) said() string {
	parts := []string{string(k.Kind), k.Summary, k.Fingerprint, k.Gate, k.Diff, k.Text, k.Agent, string(k.Review)}
	for _, list := range [][]string{k.Error, k.Failing, k.Files, k.Paths, k.Languages, k.Words, k.Gates} {
		parts = append(parts, list...)
	}
	for _, s := range k.Sources {
		parts = append(parts, s.Loop, s.By)
	}
	return strings.Join(parts, "\n")
}
