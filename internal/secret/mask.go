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
			if line = strings.TrimSpace(line); len(line) >= leastValue && !slices.Contains(m.values, line) {
				m.values = append(m.values, line)
			}
		}
	}
	slices.SortFunc(m.values, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return m
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
	text = p.keys(text)
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

const (
	keyBegins, keyWord, keyEnds = "-----BEGIN ", "PRIVATE KEY", "-----END "
)

// keys masks the lines between the marks of private keys. Most text has none.
func (p *page) keys(text string) string {
	if !p.inKey && !strings.Contains(text, keyWord) {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		switch {
		case p.inKey && (strings.Contains(line, keyEnds) || p.keyLines >= mostKey):
			p.inKey = false
		case p.inKey:
			p.keyLines++
			lines[i] = hidden(line)
		case strings.Contains(line, keyBegins) && strings.Contains(line, keyWord):
			// One that a program printed with \n in place of line ends is all here.
			before, after, _ := strings.Cut(line, keyWord)
			if body, end, closed := strings.Cut(after, keyEnds); closed {
				lines[i] = before + keyWord + "-----" + hidden(strings.TrimPrefix(body, "-----")) + keyEnds + end
			} else {
				p.inKey, p.keyLines = true, 0
			}
		}
	}
	return strings.Join(lines, "")
}

// hidden masks a line of a private key; marks of a diff and empty lines stay.
func hidden(line string) string {
	body := strings.TrimRight(line, "\r\n")
	if strings.TrimSpace(strings.TrimLeft(body, "+- ")) == "" {
		return line
	}
	mark := ""
	if body[0] == '+' || body[0] == '-' || body[0] == ' ' {
		mark = body[:1]
	}
	return mark + Masked + line[len(body):]
}
