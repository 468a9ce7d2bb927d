package learn

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Key is what makes two patterns the same one: an error with the same fix, a
// success in the same place, the same approach that failed alike, the same
// words.
func (p Pattern) Key() string {
	var parts []string
	switch p.Kind {
	case ErrorFix:
		parts = append([]string{p.Fingerprint, p.Gate}, p.Files...)
	case Success:
		parts = append([]string{p.Agent, strings.Join(p.Gates, ",")}, p.Files...)
	case Anti:
		parts = append([]string{p.Fingerprint, p.Gate, fell(p.Fell)}, p.Files...)
	}
	parts = append(parts, p.Paths...)
	if p.Text != "" {
		parts = append(parts, p.Fingerprint, p.Text)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return string(p.Kind) + ":" + hex.EncodeToString(sum[:8])
}

func fell(yes bool) string {
	if yes {
		return "fell"
	}
	return "alike"
}

// Merge is the pattern after it was seen again: the newer words, all sources.
func Merge(old, again Pattern) Pattern {
	p := again
	p.Sources = slices.Concat(again.Sources, old.Sources)
	p.Sources = p.Sources[:min(len(p.Sources), mostSources)]
	p.Times = max(old.Times, again.Times)
	p.Words = union(again.Words, old.Words, mostWords)
	if old.Attempts != (Attempts{}) && again.Attempts != (Attempts{}) {
		p.Attempts = Attempts{
			Fewest: min(old.Attempts.Fewest, again.Attempts.Fewest), Most: max(old.Attempts.Most, again.Attempts.Most),
			Sum: old.Attempts.Sum + again.Attempts.Sum,
		}
	}
	if p.Diff == "" {
		p.Diff = old.Diff
	}
	return p
}

// union keeps the order of a, then of b.
func union(a, b []string, most int) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if len(out) < most && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
