package stream

import "strings"

// maxSpoken bounds what is joined of the model's words, in bytes.
const maxSpoken = 256 << 10

// Spoken joins what a model says in pieces.
type Spoken struct {
	now strings.Builder
	// Whole is the newest that is complete.
	Whole string
}

// Add takes a piece.
func (s *Spoken) Add(piece string) {
	if s.now.Len() < maxSpoken {
		s.now.WriteString(piece)
	}
}

// Pause ends what is being said, and tells it. White space alone is nothing said.
func (s *Spoken) Pause(t *Tally) {
	if strings.TrimSpace(s.now.String()) == "" {
		return
	}
	s.Whole = s.now.String()
	s.now.Reset()
	t.Text(s.Whole)
}
