package tui

// The most that a log keeps: lines, bytes of them, and bytes of one.
const (
	mostLines   = 5000
	mostBytes   = 2 << 20
	longestLine = 4 << 10
)

// lines are the end of a log, and how it stands on a screen of some width.
type lines struct {
	text  []string
	bytes int
	// rows are the text wrapped to width; first[i] is the row that text[i]
	// begins with.
	rows  []string
	first []int
	width int
}

// add appends lines that are ready for the screen, and returns how many rows
// were lost at the front.
func (l *lines) add(text ...string) (lost int) {
	for _, t := range text {
		if len(t) > longestLine {
			t = fit(t, longestLine)
		}
		l.text = append(l.text, t)
		l.bytes += len(t)
		if l.width > 0 {
			l.put(t)
		}
	}
	if len(l.text) <= mostLines && l.bytes <= mostBytes {
		return 0
	}
	drop := 0
	for len(l.text)-drop > mostLines*3/4 || l.bytes > mostBytes*3/4 {
		l.bytes -= len(l.text[drop])
		drop++
	}
	if l.width > 0 && drop < len(l.first) {
		lost = l.first[drop]
	}
	l.text = append([]string(nil), l.text[drop:]...)
	l.wrap(l.width)
	return lost
}

func (l *lines) put(t string) {
	l.first = append(l.first, len(l.rows))
	l.rows = append(l.rows, wrap(t, l.width, 2)...)
}

// wrap makes the rows for a width, where they are for another.
func (l *lines) wrap(width int) {
	l.width, l.rows, l.first = width, nil, nil
	for _, t := range l.text {
		l.put(t)
	}
}
