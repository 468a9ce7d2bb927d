package secret

import (
	"cmp"
	"slices"
	"strings"
)

// Masked stands in the place of a secret.
const Masked = "(key)"

// leastValue is how long the value of a variable must be to be masked: shorter
// ones stand in ordinary words.
const leastValue = 8

// Masker masks secrets. The nil Masker masks the well-known forms.
type Masker struct {
	// values are those of variables, the longest first: one may hold another.
	values []string
}

// New returns a Masker that knows some values too. A value of several lines is
// masked line by line.
func New(values ...string) *Masker {
	m := &Masker{}
	for _, v := range values {
		for line := range strings.SplitSeq(v, "\n") {
			m.know(strings.TrimSpace(line))
			m.know(strings.TrimSpace(visible(line)))
		}
	}
	slices.SortFunc(m.values, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return m
}

func (m *Masker) know(value string) {
	if len(value) >= leastValue && !slices.Contains(m.values, value) {
		m.values = append(m.values, value)
	}
}

// Equal reports whether both know the same values.
func (m *Masker) Equal(o *Masker) bool { return slices.Equal(m.known(), o.known()) }

// Mask returns a text without its secrets.
func (m *Masker) Mask(text string) string {
	p := page{masker: m}
	return p.lines(text)
}

// page masks text that comes in pieces of whole lines.
type page struct {
	masker *Masker
	// inKey: a private key has begun, keyLines lines ago.
	inKey    bool
	keyLines int
}

// mostKey is how many lines a private key has at most; more is other text.
const mostKey = 200

// lines masks a piece that ends with a line, or with the text.
func (p *page) lines(text string) string {
	if text == "" {
		return ""
	}
	shown := visible(text)
	plain := len(shown) == len(text) && strings.IndexByte(text, '\\') < 0
	if p.inKey || strings.Contains(shown, keyWord) {
		text = p.keys(text)
	}
	if !plain {
		if hidden := p.masker.obscured(text); len(hidden) > 0 {
			return replace(text, append(hidden, p.masker.find(text)...))
		}
	}
	for _, v := range p.masker.known() {
		text = strings.ReplaceAll(text, v, Masked)
	}
	return replace(text, rules().find(text))
}

func (m *Masker) known() []string {
	if m == nil {
		return nil
	}
	return m.values
}

// replace masks spans, which may overlap.
func replace(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.end <= at {
			continue
		}
		b.WriteString(text[at:max(at, s.start)])
		if s.start >= at {
			b.WriteString(Masked)
		}
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}
