package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
)

// Encode is v as indented JSON with a final line feed. Strings keep what they
// hold, but no character that a terminal would obey stands in them as itself.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return escaped(b.Bytes()), nil
}

// escaped writes C1 and bidirectional controls as \uXXXX. They only ever stand
// in strings, and encoding/json has escaped the C0 ones.
func escaped(in []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(in) {
		if r == 0x7f || r >= 0x80 && r <= 0x9f || unicode.Is(unicode.Bidi_Control, r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}
