package view

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// MigrateSchema is the name of Migration's format.
const MigrateSchema = "ralph.migrate/v1"

// Migration is the result of `ralph migrate`, with DryRun the expected one.
type Migration struct {
	Schema string `json:"schema"`
	DryRun bool   `json:"dry_run"`
	// Folders are those of other runners, each with the data that is not
	// migrated besides its loops.
	Folders []MigratedFolder `json:"folders"`
	Loops   []MigratedLoop   `json:"loops"`
	// Problems are files that could not be read; nothing of them was imported.
	Problems []MigrationProblem `json:"problems"`
	// Totals are loops that ended and were only counted.
	Totals Ended `json:"totals"`
	// Patterns is how many learned patterns were imported, unreviewed.
	Patterns int `json:"patterns"`
	// Link is the file that now leads to ralph's view; null: none.
	Link *MigratedLink `json:"link"`
}

// Ended counts loops by how they ended.
type Ended struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Aborted int `json:"aborted"`
}

// MigratedFolder is one trace of another runner.
type MigratedFolder struct {
	Kind string `json:"kind"`
	Path string `json:"path"`
	Lost []Lost `json:"lost"`
}

// Lost is something that was not carried.
type Lost struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// The results of a migrated loop. Waiting: it can continue, and needs something
// first; it was not imported.
const (
	MigrateImported = "imported"
	MigrateAlready  = "already"
	MigrateChanged  = "changed"
	MigrateWaiting  = "waiting"
)

// MigratedLoop is one loop of another runner. Where it was imported before, only
// its name here is told.
type MigratedLoop struct {
	Source    string `json:"source"`
	Kind      string `json:"kind"`
	ForeignID string `json:"foreign_id"`
	Result    string `json:"result"`
	// LoopID is null where nothing came of it.
	LoopID        *string     `json:"loop_id"`
	Task          string      `json:"task"`
	Status        loop.Status `json:"status,omitempty"`
	Reason        loop.Reason `json:"reason,omitempty"`
	Message       string      `json:"message"`
	Iteration     int         `json:"iteration"`
	MaxIterations int         `json:"max_iterations"`
	// Gate will prove it done; null for a loop that has ended.
	Gate *string `json:"gate"`
	Next *string `json:"next"`
	Lost []Lost  `json:"lost"`
}

// MigrationProblem is a file that could not be read. Line is 0 where it is the
// file as a whole.
type MigrationProblem struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
}

// MigratedLink is the result of --link.
type MigratedLink struct {
	Path   string `json:"path"`
	Target string `json:"target"`
	Backup string `json:"backup"`
}

// MigrationText is Migration for people.
func MigrationText(m Migration, p Palette) string {
	var b strings.Builder
	if len(m.Folders)+len(m.Loops)+len(m.Problems) == 0 {
		return "No state of another runner lies here.\n"
	}
	for _, f := range m.Folders {
		fmt.Fprintf(&b, "%s  %s\n", p.bold(text.Line(f.Path)), p.dim(text.Line(f.Kind)))
		m.loopsIn(&b, f, p)
		lostLines(&b, f.Lost, 2, p)
	}
	if len(m.Problems) > 0 {
		fmt.Fprintf(&b, "\n%s\n", p.bold("COULD NOT BE READ"))
	}
	for _, f := range m.Problems {
		where := text.Line(f.Path)
		if f.Line > 0 {
			where += fmt.Sprintf(":%d", f.Line)
		}
		fmt.Fprintf(&b, "  %s %s\n", p.bad("✗"), where)
		for _, l := range text.Wrap(f.Why, p.width()-4, 3) {
			fmt.Fprintf(&b, "    %s\n", l)
		}
		if f.Hint != "" {
			fmt.Fprintf(&b, "    try: %s\n", text.Line(f.Hint))
		}
	}
	if m.Link != nil {
		fmt.Fprintf(&b, "\n%s leads to %s\n  the old one is kept as %s\n", text.Line(m.Link.Path), text.Line(m.Link.Target), text.Line(m.Link.Backup))
	}
	fmt.Fprintf(&b, "\n%s\n", strings.Join(text.Wrap(m.sum(), p.width(), 5), "\n"))
	return p.Out(b.String())
}

// loopsIn lists the loops that were found below one folder.
func (m Migration) loopsIn(b *strings.Builder, f MigratedFolder, p Palette) {
	for _, l := range m.Loops {
		if l.Source != f.Path && !strings.HasPrefix(l.Source, f.Path+"/") {
			continue
		}
		l.row(b, p)
	}
}

func (l MigratedLoop) row(b *strings.Builder, p Palette) {
	name := l.ForeignID
	if l.LoopID != nil {
		name = *l.LoopID
	}
	mark := p.status(l.Status, l.Reason)
	if l.Result != MigrateImported {
		mark = p.dim("· " + l.Result)
	}
	gap := strings.Repeat(" ", max(1, indent-text.Width(mark)))
	count := ""
	if l.Iteration+l.MaxIterations > 0 {
		count = fmt.Sprintf(" %d/%d", l.Iteration, l.MaxIterations)
	}
	room := p.width() - indent
	fmt.Fprintf(b, "  %s%s%s%s\n", mark, gap, text.Clip(name, room-10), count)
	tell := func(words string, lines int) {
		for _, w := range text.Wrap(words, room-2, lines) {
			fmt.Fprintf(b, "%*s%s\n", indent+2, "", w)
		}
	}
	tell(l.Message, 3)
	if l.Gate != nil {
		tell("gate: "+*l.Gate, 2)
	}
	if l.Next != nil && l.Result == MigrateImported {
		fmt.Fprintf(b, "%*s%s\n", indent+2, "", p.dim(text.Line(*l.Next)))
	}
	lostLines(b, l.Lost, indent+2, p)
}

// lostLines name the data that was not migrated, grouped by reason.
func lostLines(b *strings.Builder, lost []Lost, at int, p Palette) {
	for i, l := range byReason(lost) {
		head := "not carried: "
		if i > 0 {
			head = strings.Repeat(" ", len(head))
		}
		for j, w := range text.Wrap(l.What+": "+l.Why, p.width()-at-len(head), 3) {
			if j > 0 {
				head = strings.Repeat(" ", len(head))
			}
			fmt.Fprintf(b, "%*s%s%s\n", at, "", p.dim(head), w)
		}
	}
}

func byReason(lost []Lost) (out []Lost) {
	at := map[string]int{}
	for _, l := range lost {
		if i, ok := at[l.Why]; ok {
			out[i].What += ", " + l.What
			continue
		}
		at[l.Why] = len(out)
		out = append(out, l)
	}
	return out
}

// sum is one line: the numbers migrated and not migrated.
func (m Migration) sum() string {
	n := map[string]int{}
	for _, l := range m.Loops {
		n[l.Result]++
	}
	verb := "imported"
	if m.DryRun {
		verb = "would be imported"
	}
	parts := []string{fmt.Sprintf("%s %s", text.Plural(n[MigrateImported], "loop"), verb)}
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(words, n))
		}
	}
	add(n[MigrateAlready], "%d already here")
	add(n[MigrateChanged], "%d already here, changed there since and left alone")
	add(n[MigrateWaiting], "%d waiting for what is missing")
	add(m.Totals.Passed+m.Totals.Failed+m.Totals.Aborted, "%d that left no record only counted")
	if m.Patterns > 0 {
		parts = append(parts, text.Plural(m.Patterns, "pattern")+", unreviewed")
	}
	if n := len(m.Problems); n > 0 {
		parts = append(parts, text.Plural(n, "file")+" could not be read")
	}
	words := strings.Join(parts, ", ") + "."
	if !m.DryRun {
		return words + " What was there stays as it was."
	}
	return words
}
