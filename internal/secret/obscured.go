package secret

import (
	"strings"

	"ralph/internal/text"
)

// obscured returns the secrets of a text that show in another view of its lines: those
// with invisible parts inside, which no screen shows, and those of JSON texts that have
// escapes.
func (m *Masker) obscured(all string) []span {
	return append(m.behindInvisible(all), m.behindEscapes(all)...)
}

func (m *Masker) behindInvisible(all string) []span {
	var out []span
	done := 0
	for i := range text.Invisible(all) {
		if i < done {
			continue
		}
		start, end := lineAt(all, i)
		line, _ := seen(all[start:end])
		for _, s := range m.find(line.text) {
			out = append(out, line.raw(s).moved(start))
		}
		done = end
	}
	return out
}

func (m *Masker) behindEscapes(all string) []span {
	var out []span
	for at := 0; at < len(all); {
		i := strings.IndexByte(all[at:], '\\')
		if i < 0 {
			break
		}
		start, end := lineAt(all, at+i)
		if line, escaped := unescaped(all[start:end]); escaped {
			shown, _ := seen(line.text)
			for _, s := range m.find(shown.text) {
				out = append(out, line.raw(shown.raw(s)).moved(start))
			}
		}
		at = end
	}
	return out
}

// find returns the secrets that stand in a text as it is.
func (m *Masker) find(text string) []span { return append(m.spans(text), rules().find(text)...) }

// lineAt returns where the line begins and ends on which i is.
func lineAt(text string, i int) (start, end int) {
	start, end = strings.LastIndexByte(text[:i], '\n')+1, len(text)
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		end = i + n
	}
	return start, end
}

// uncut returns the spans of a text that no cut may divide.
func (m *Masker) uncut(all string) []span {
	out := append(m.find(all), m.obscured(all)...)
	for start, end := range text.Invisible(all) {
		out = append(out, span{start: start, end: end})
	}
	return out
}
