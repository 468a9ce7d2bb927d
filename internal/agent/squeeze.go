package agent

import "bytes"

// maxText bounds what is kept of one text inside a JSON line: far more than
// anything that decides, far less than the file that an agent has just read.
const maxText = 256 << 10

// escapeLen is the longest escape in a JSON text: \u and four digits.
const escapeLen = 6

// squeezer copies a JSON object while it comes, in pieces of any size, and
// leaves out what is too long inside of its texts. What was JSON stays JSON of
// the same structure, so the type of a line of 100 MB is found wherever in it
// it stands.
type squeezer struct {
	on bool
	// inText: between two quotes; escaped: behind a backslash.
	inText, escaped bool
	// full: nothing more is kept of the present text, of which kept bytes are.
	full bool
	kept int
}

// squeeze appends what is to be kept of p.
func (s *squeezer) squeeze(to, p []byte) []byte {
	for len(p) > 0 {
		n := s.next(p)
		to = s.take(to, p[:n])
		p = p[n:]
	}
	return to
}

// next is how much of p can be taken at once.
func (s *squeezer) next(p []byte) int {
	if s.escaped {
		return 1
	}
	i := bytes.IndexByte(p, '"')
	if s.inText {
		i = bytes.IndexAny(p, `"\`)
	}
	switch {
	case i < 0:
		return len(p)
	case i > 0:
		return i
	}
	return 1
}

func (s *squeezer) take(to, p []byte) []byte {
	switch {
	case s.escaped:
		s.escaped = false
		return s.text(to, p)
	case p[0] == '"':
		s.inText, s.full, s.kept = !s.inText, false, 0
		return add(to, p)
	case !s.inText:
		return add(to, p)
	case p[0] == '\\':
		// An escape is kept as a whole or not at all.
		s.escaped = true
		s.full = s.full || s.kept+escapeLen > maxText
	}
	return s.text(to, p)
}

func (s *squeezer) text(to, p []byte) []byte {
	if s.full {
		return to
	}
	if room := maxText - s.kept; len(p) > room {
		p, s.full = p[:room], true
	}
	s.kept += len(p)
	return add(to, p)
}

// add appends as far as a line may grow.
func add(to, p []byte) []byte {
	return append(to, p[:min(len(p), maxLine-len(to))]...)
}
