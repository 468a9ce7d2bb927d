package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// A source can say itself that the work is not whole, or hold what it answers in packed form.

const saysMore = "marks work as unfinished"

var (
	// marksMore matches the marks for what is left to do. A list of things to do has another form.
	marksMore = lazyregexp.New(`\b(?:TODO|FIXME|XXX)\b|(?i:\b(?:not (?:yet )?implemented|placeholder (?:for now|implementation)|hard-?coded for now)\b)`)
	// unpacks matches what takes data out of a text, and packed a text that may be some.
	unpacks = lazyregexp.New(`\bb(?:16|32|64|85)decode\b|\bzlib\b|\ba2b_\w+|\bunhexlify\b|\bfromhex\b|\batob\(|,\s*['"](?:base64|hex)['"]\s*\)|\b(?:base64|hex)\.\w*(?:Decod|DecodeString)|\b(?:gunzip|inflate|brotliDecompress)\w*\(|\bgzip\.|\bflate\.|\bcodecs\.decode`)
	packed  = lazyregexp.New("[\"'`][A-Za-z0-9+/=_-]{80,}[\"'`]")
)

// leftIn are the new lines of a source that say so, in comments, or hold packed data that the
// source unpacks.
func leftIn(file, lang, text string, old map[string]bool) (out []Finding) {
	unpacked := unpacks.MatchString(text)
	if !unpacked && !marksMore.MatchString(text) {
		return nil
	}
	lines := strings.Split(text, "\n")
	for n, code := range newCode(lang, text, old) {
		switch line := lines[n-1]; {
		case unpacked && packed.MatchString(code):
			out = append(out, Finding{Path: file, Line: n, What: hiddenCode})
		case marksMore.MatchString(line) && !marksMore.MatchString(code):
			out = append(out, Finding{Path: file, Line: n, What: saysMore})
		}
	}
	return out
}
