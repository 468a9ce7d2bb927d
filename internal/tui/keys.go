package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// key handles a key press. In a text field every key but those that leave is text.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	switch name {
	case "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return m.suspend()
	}
	switch {
	case m.dialog != nil:
		return m.dialogKey(k)
	case m.filtering:
		m.filterKey(k)
		return nil
	}
	m.note = note{}
	armed := m.armed
	m.armed = ""
	switch name {
	case "q":
		return tea.Quit
	case "?":
		m.helping = !m.helping
		return nil
	}
	if m.helping {
		m.helpKey(name)
		return nil
	}
	if m.out != nil {
		m.outputKey(name)
		return nil
	}
	m.armed = armed
	defer func() {
		if m.armed == armed {
			m.armed = ""
		}
	}()
	if cmd, done := m.act(name); done {
		return cmd
	}
	switch m.page {
	case pageStory:
		return m.storyKey(name)
	case pageLog:
		return m.logKey(name)
	}
	return m.listKey(name)
}

// act handles the keys that act on the chosen loop, on every page.
func (m *model) act(name string) (cmd tea.Cmd, done bool) {
	l, ok := m.chosen()
	do, is := map[string]func() tea.Cmd{
		"p": func() tea.Cmd { return m.pause(l) },
		"r": func() tea.Cmd { return m.resume(l) },
		"a": func() tea.Cmd { return m.askAbort(l) },
		"A": func() tea.Cmd { return m.askAnswer(l) },
		"s": func() tea.Cmd { return m.askSteer(l) },
	}[name]
	if _, shows := outputs[name]; shows {
		do, is = func() tea.Cmd { return m.show(name, l) }, true
	}
	if !is {
		return nil, false
	}
	if !ok {
		m.warn("no loop is chosen")
		return nil, true
	}
	return do(), true
}

// paste inserts text into a text field. Elsewhere it is ignored: pasted text must
// not press keys.
func (m *model) paste(text string) {
	switch {
	case m.dialog != nil && m.dialog.typing():
		m.dialog.edit.insert(text)
		m.dialog.full()
	case m.filtering:
		m.filter.insert(text)
		m.arrange()
	}
}

// filterKey edits the filter, which applies at once.
func (m *model) filterKey(k tea.KeyPressMsg) {
	switch k.String() {
	case "enter":
		m.filtering = false
	case "esc":
		m.filtering = false
		m.filter.set("")
	case "up":
		m.move(-1)
	case "down":
		m.move(1)
	default:
		m.filter.key(k)
	}
	m.arrange()
}

// step returns how far a key moves a window of the given height; far reaches the
// ends.
func step(name string, height int) (n int, ok bool) {
	const far = 1 << 30
	n, ok = map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "ctrl+p": -1, "ctrl+n": 1,
		"pgup": -height, "ctrl+b": -height, "pgdown": height, "ctrl+f": height, "space": height,
		"ctrl+u": -height / 2, "ctrl+d": height / 2,
		"home": -far, "g": -far, "end": far, "G": far,
	}[name]
	return n, ok
}

// helpText is the page of `?`.
const helpText = `
Leaving stops nothing: each loop has a process of its own, and this
screen only looks at them.

Lists and pages
  up down  j k        one line, or the loop above or below
  pgup pgdn  space    half a page of loops, a page of lines
  g G  home end       the first, the last
  enter               open the loop: gates, failure, attempts, facts
  l                   follow its log; in the log, tab shows what the
                      agent does, what it and the gates print, and
                      [ and ] show other attempts
  esc                 back; in the list, take the filter away
  /                   list only loops with these words in name, task,
                      agent or status
  n                   start a run in the background, with the settings of
                      this repository: ralph run TEXT -d

The loop that is open or pointed at       in a shell, after "ralph":
  enter  l            open, its log         show ID; logs ID -f
  d                   its diff              show ID --diff
  e                   its evidence          show ID --evidence
  c                   accept: key twice     accept ID
  t                   retry: key twice      retry ID
  A                   answer its question   answer ID
  p                   pause after the step  pause ID
  r                   resume, end a wait    resume ID
  s                   guide next attempts   steer ID "..."
  a                   abort, asks first     abort ID

A row
  status, name, cost, 3/5: the third of five attempts, or three of five
  tasks of a plan; and since when. The first line sums the cost of what
  is listed. It is that of the agents that have ended: ~ is an estimate,
  + more where an agent told none, n/a where none told any. In a shell:
  status, show ID and report tell more.

  With --all the list has the runs of all your repositories. A key that
  is about one of them enters its repository; esc comes back.

  ?                   this page
  ctrl-z              to the background; fg comes back
  q  ctrl-c           leave
`

func (m *model) helpKey(name string) {
	if name == "esc" {
		m.helping = false
		return
	}
	if n, ok := step(name, max(m.body()-1, 1)); ok {
		m.help.by(n, len(m.helpLines(m.w)), m.body())
	}
}

func (m *model) helpLines(w int) []string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(helpText, "\n"), "\n") {
		hang := 0
		if strings.HasPrefix(line, "  ") {
			hang = map[bool]int{true: 2, false: 20}[w < narrow]
		}
		for _, l := range wrap(line, w-2, hang) {
			out = append(out, " "+l)
		}
	}
	return out
}
