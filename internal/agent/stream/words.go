package stream

import (
	"encoding/json"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

func keep(to *string, s string) {
	if s != "" {
		*to = clip(s, 200)
	}
}

// colours are the escape sequences that programs print also without a terminal.
var colours = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)

// plain returns a text without colours, in one line.
func plain(s string) string {
	return strings.Join(strings.Fields(colours.ReplaceAllString(s, "")), " ")
}

// words joins a message with the program's own.
func words(ours, theirs string) string {
	if theirs = clip(unwrap(theirs), 300); theirs == "" {
		return ours
	}
	return ours + ": " + theirs
}

// clip is s without white space around it, at most n bytes.
func clip(s string, n int) string { return text.Head(strings.TrimSpace(s), n) }

// maxWrapped is how many objects unwrap takes off: a gateway quotes its provider,
// and a program both.
const maxWrapped = 3

// unwrap replaces a JSON object in a message by the words in it: programs pass on
// what a provider answered, as it came.
func unwrap(s string) string {
	for range maxWrapped {
		at := strings.IndexByte(s, '{')
		if at < 0 {
			return s
		}
		var object map[string]any
		from := json.NewDecoder(strings.NewReader(s[at:]))
		if from.Decode(&object) != nil {
			return s
		}
		said := sentence(object)
		if said == "" {
			return s
		}
		s = s[:at] + said + s[at+int(from.InputOffset()):]
	}
	return s
}

// sentence returns the text of a provider's error: its message, or that of the
// error in it.
func sentence(object map[string]any) string {
	for _, name := range []string{"error", "message", "details", "detail", "error_description"} {
		switch v := object[name].(type) {
		case string:
			if v != "" {
				return v
			}
		case map[string]any:
			if said := sentence(v); said != "" {
				return said
			}
		}
	}
	return ""
}
