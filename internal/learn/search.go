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
	parts := func(k Known) int {
		if strings.Contains(strings.ToLower(k.said()), text) {
			return 0
		}
		return 1
	}
	out := slices.DeleteFunc(slices.Clone(all), func(k Known) bool {
		said := strings.ToLower(k.said())
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(said, w) })
	})
	slices.SortStableFunc(out, func(a, b Known) int {
		return cmp.Or(
			cmp.Compare(last(a), last(b)), cmp.Compare(parts(a), parts(b)), cmp.Compare(b.Helped, a.Helped), cmp.Compare(approved(b), approved(a)),
			cmp.Compare(b.rate(), a.rate()), cmp.Compare(b.Seen, a.Seen), cmp.Compare(b.Num, a.Num),
		)
	})
	return out
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
