package tui

// scroll is a window on lines: top is the first one that is shown.
type scroll struct{ top int }

// by moves the window, never beyond the ends.
func (s *scroll) by(n, lines, height int) {
	s.top = min(max(s.top+n, 0), max(lines-height, 0))
}

// show moves the window as little as it must for lines from up to to (not
// included) to be seen; the first of them if not all fit.
func (s *scroll) show(from, to, lines, height int) {
	s.top = min(max(s.top, to-height), from)
	s.by(0, lines, height)
}

// window are the lines that are shown.
func (s *scroll) window(lines []string, height int) []string {
	s.by(0, len(lines), height)
	return lines[s.top:min(s.top+max(height, 0), len(lines))]
}
