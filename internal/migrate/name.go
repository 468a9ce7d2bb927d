package migrate

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// Names are what a loop may be called here, best first: its own name, one made
// of it where that cannot be a name, and then either with a number, since a loop
// here may have it already.
func (f *Found) Names() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		name := f.ID
		if loop.ValidID(name) != nil {
			name = f.madeName()
		}
		if !yield(name) {
			return
		}
		for n := 2; ; n++ {
			suffix := fmt.Sprintf("-%d", n)
			if !yield(strings.TrimRight(name[:min(len(name), 64-len(suffix))], "-.") + suffix) {
				return
			}
		}
	}
}

// madeName is the kind, what is left of the name, and 8 digits of where it was
// found, so that two of them differ.
func (f *Found) madeName() string {
	name := slug(f.ID, 30)
	if name == "" {
		name = slug(f.TaskID+" "+f.Task, 30)
	}
	return strings.Trim(string(f.Kind)+"-"+name, "-") + "-" + digest([]byte(f.Source + "\x00" + f.ID))[:8]
}

// slug is what of a text can stand in a name, at most n characters.
func slug(text string, n int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(clip(text, 200)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == n {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
