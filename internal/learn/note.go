package learn

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/lazyregexp"
	"ralph/internal/scope"
	"ralph/internal/text"
)

// NoteInput is a pattern that a person or an agent writes down.
type NoteInput struct {
	// Kind is Note where it is empty.
	Kind        Kind
	Text        string
	Fingerprint string
	// Paths are globs of the files it is about.
	Paths []string
	// By is the author; Loop the loop that it came from, if any.
	By, Loop string
}

var fingerprintPattern = lazyregexp.New(`^[0-9a-f]{8}$`)

// NewNote returns the pattern of a note, or why it cannot be one.
func NewNote(w NoteInput, at time.Time) (Pattern, error) {
	note := strings.TrimSpace(text.Clean(w.Text))
	switch {
	case note == "":
		return Pattern{}, errors.New("the text is empty")
	case len(note) > mostText:
		return Pattern{}, fmt.Errorf("the text has %d bytes; at most %d are kept", len(note), mostText)
	case w.Fingerprint != "" && !fingerprintPattern.MatchString(w.Fingerprint):
		return Pattern{}, fmt.Errorf("fingerprint %q: it has 8 hexadecimal digits, as `ralph show` prints it", w.Fingerprint)
	case len(w.Paths) > mostGlobs:
		return Pattern{}, fmt.Errorf("%d paths; at most %d are kept", len(w.Paths), mostGlobs)
	}
	if w.Kind == "" {
		w.Kind = Note
	}
	if !slices.Contains(kinds(), w.Kind) {
		return Pattern{}, fmt.Errorf("kind %q: it is one of %v", w.Kind, kinds())
	}
	for _, g := range w.Paths {
		if g == "" || len(g) > mostPath || text.Line(g) != g || !scope.Valid(g) {
			return Pattern{}, fmt.Errorf("path %q is not a valid glob", g)
		}
	}
	return Pattern{
		Kind: w.Kind, Summary: name(note, mostSummary), Text: note, Fingerprint: w.Fingerprint, Paths: w.Paths,
		Languages: languages(w.Paths), Words: words(note),
		Sources: []Source{{Loop: name(w.Loop, mostName), By: name(w.By, mostName), At: at.UTC()}},
	}, nil
}
