package tui

import "time"

// note is the screen's own word about what was just done. The next key takes it
// away, and so does time: it is about a moment, and loops move on.
type note struct {
	text string
	bad  bool
	at   time.Time
}

// lasting is how long a note stands.
const lasting = time.Minute

func (m *model) say(text string)  { m.note = note{text: text, at: m.now} }
func (m *model) warn(text string) { m.note = note{text: text, at: m.now, bad: true} }

// forget takes an old note away.
func (m *model) forget() {
	if m.now.Sub(m.note.at) >= lasting {
		m.note = note{}
	}
}
