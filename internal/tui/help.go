package tui

import "strings"

// helpText is the page of `?`.
const helpText = `
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

The loop that is open or pointed at
  A                   answer its question
  p                   pause after the present step
  r                   go on; a wait for a provider ends at once
  s                   guidance for the next attempts
  a                   abort; asks first, and why

  ?                   this page
  ctrl-z              to the background; fg comes back
  q  ctrl-c           leave

Leaving stops nothing: each loop has a process of its own, and this
screen only looks at them.
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
