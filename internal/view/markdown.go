package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// Markdown is the morning report: verdict, needs you, failed, ready to review,
// running, waiting, accepted, look twice, cost. The fields of a failed task are seed 004's.
func Markdown(r Summary, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Ralph Loop Execution Summary\n\n**%s**\n\nCompleted: %d/%d tasks\n", title(r), r.Completed, r.Total)
	fmt.Fprintln(&b, span(r, now))
	if r.Scripted {
		fmt.Fprintf(&b, "\n%s\n", demonstration)
	}
	if r.Total == 0 && len(r.Plans)+len(r.Failed) == 0 {
		fmt.Fprintf(&b, "\nNo runs to report. Start with `ralph run \"…\" --until \"…\"`, or watch `ralph demo`; `ralph status --all` lists archived runs.\n")
		return b.String()
	}
	r.planLines(&b)
	r.needs(&b, now)
	r.failed(&b)
	r.stopped(&b)
	r.ready(&b)
	opened(&b, "Running", r.Running)
	opened(&b, "Cut off", r.cutOff())
	opened(&b, "Waiting", r.waiting())
	r.accepted(&b)
	r.twice(&b)
	r.happened(&b, now)
	if line := r.Disputes.Line(); line != "" {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	r.learned(&b)
	r.spent(&b)
	return b.String()
}

func title(r Summary) string {
	if r.Project == "" {
		return r.Title
	}
	return markup(r.Project) + " — " + r.Title
}

func span(r Summary, now time.Time) string {
	var parts []string
	if r.StartedAt != nil {
		words := "from " + text.Clock(*r.StartedAt, now)
		if r.EndedAt != nil {
			words += " to " + text.Clock(*r.EndedAt, now) + " (" + text.Duration(r.EndedAt.Sub(*r.StartedAt)) + ")"
		}
		parts = append(parts, words)
	}
	parts = append(parts, text.Plural(r.Iterations, "attempt"))
	if r.More > 0 {
		parts = append(parts, fmt.Sprintf("%d more ended before: %s", r.More, next.Report("--all")))
	}
	return strings.Join(parts, " · ")
}

func heading(b *strings.Builder, words string, n int) bool {
	if n > 0 {
		fmt.Fprintf(b, "\n## %s (%d)\n\n", words, n)
	}
	return n > 0
}

// needing counts the runs that need a person, those among them that the report lists as
// failed beside it.
func (r Summary) needing() string {
	words := text.Plural(r.Counts.NeedsYou, "run")
	if n := r.Counts.Undecided; n > 0 {
		words += fmt.Sprintf(", %d of them failed or aborted", n)
	}
	return words
}

func (r Summary) needs(b *strings.Builder, now time.Time) {
	if len(r.NeedsYou) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Needs you (%s)\n\n", r.needing())
	for _, o := range r.NeedsYou {
		at := ""
		if o.Since != nil {
			at = " since " + text.Clock(*o.Since, now)
		}
		fmt.Fprintf(b, "- ? **%s**%s%s: %s\n%s", markup(o.Task), o.Agent.mark(), at, code(o.Why), command(o.Next))
		if lines := Document(o.Text, 100); lines != nil { // indented that far it is a block of code
			fmt.Fprintf(b, "\n      %s\n\n", strings.Join(lines, "\n      "))
		}
	}
}

func (r Summary) ready(b *strings.Builder) {
	if !heading(b, "Ready to review", len(r.Ready)) {
		return
	}
	b.WriteString("| Task | Evidence (gates run by ralph, nothing claimed) | Commit | Attempts | Cost |\n|---|---|---|---|---|\n")
	for _, t := range r.Ready {
		commit := "n/a"
		if t.Commit != nil {
			commit = "`" + short(*t.Commit) + "`"
		}
		words := markup(t.Evidence)
		if t.AlreadyGreen {
			words = "already green, nothing was done: " + words
		}
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s |\n", markup(t.Task)+t.Agent.mark(), words, commit, t.Iteration, t.Cost)
	}
	b.WriteString("\n")
	for _, t := range r.Ready {
		if !t.AlreadyGreen && t.PlanID == nil {
			fmt.Fprintf(b, "- %s\n", code(t.Next))
		}
	}
}

func (r Summary) accepted(b *strings.Builder) {
	if !heading(b, "Accepted", len(r.Accepted)) {
		return
	}
	for _, h := range r.Accepted {
		fmt.Fprintf(b, "- %s: %s as `%s`\n", markup(h.Task), code(h.LoopID), short(h.Commit))
	}
}

func (r Summary) failed(b *strings.Builder) {
	all := r.failures(false)
	if !heading(b, "Failed, require human attention", len(all)) {
		return
	}
	for i, t := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "### ✗ %s%s\n\n", markup(t.Task), t.Agent.mark())
		fmt.Fprintf(b, "- Ended: %s, %s\n", t.Status, t.Reason)
		fmt.Fprintf(b, "- Attempts: %d/%d\n", t.Attempts, t.MaxAttempts)
		fmt.Fprintf(b, "- Last gate: %s\n", t.lastGate())
		fmt.Fprintf(b, "- Branch: %s\n", orNone(t.Branch))
		fmt.Fprintf(b, "- Error: %s%s\n", code(t.Error), hashOf(t))
		for _, g := range t.red {
			printed(b, g)
		}
		fmt.Fprintf(b, "- Stuck: %s (%s)\n", map[bool]string{true: "Yes", false: "No"}[t.Stuck], t.StuckWhy)
		if t.QualityWarnings > 0 {
			fmt.Fprintf(b, "- Quality warnings: %d\n", t.QualityWarnings)
		}
		fmt.Fprintf(b, "- Cost: %s\n", orWord(t.Cost))
		fmt.Fprintf(b, "- Next: %s", code(t.Next))
		if retry := next.Retry(t.LoopID); t.PlanID == nil && retry != t.Next {
			fmt.Fprintf(b, " or %s", code(retry))
		}
		b.WriteString("\n")
	}
}

// mostPrinted lines of a failed gate stand in a report of text.
const mostPrinted = 12

// printed adds the end of what a failed gate printed, as a block of code in the list.
func printed(b *strings.Builder, g loop.Result) {
	out := excerpt(g)
	if out == "" {
		return
	}
	lines := strings.Split(out, "\n")
	if n := len(lines) - mostPrinted; n > 0 {
		lines = lines[n:]
	}
	fmt.Fprintf(b, "- Gate %s printed:\n\n", code(g.Gate))
	for _, l := range lines {
		b.WriteString(strings.TrimRight("      "+text.Cut(l, 160), " ") + "\n")
	}
	b.WriteString("\n")
}

// stopped lists the runs that a person dealt with.
func (r Summary) stopped(b *strings.Builder) {
	all := r.failures(true)
	if !heading(b, "Aborted by a person, or retried", len(all)) {
		return
	}
	for _, t := range all {
		fmt.Fprintf(b, "- **%s**%s: %s\n", markup(t.Task), t.Agent.mark(), markup(t.stoppedWords()))
	}
}

func hashOf(t FailedTask) string {
	if t.Fingerprint == nil {
		return ""
	}
	return " (hash " + markup(*t.Fingerprint) + ")"
}

func opened(b *strings.Builder, words string, all []Open) {
	if !heading(b, words, len(all)) {
		return
	}
	for _, o := range all {
		fmt.Fprintf(b, "- **%s**%s %s: %s\n%s", markup(o.Task), o.Agent.mark(), o.Status, markup(o.Why), command(o.Next))
	}
}

func (r Summary) twice(b *strings.Builder) {
	if len(r.LookTwice) == 0 {
		return
	}
	b.WriteString("\n## Look twice (what gates cannot judge)\n\n")
	for _, n := range r.LookTwice {
		fmt.Fprintf(b, "- **%s** %s\n", markup(n.Task), markupOf(n.Note, mostNote))
	}
}

// learned lists a few patterns of the loops; unreviewed notes are shown to
// later loops as such, so nothing waits for a person here.
func (r Summary) learned(b *strings.Builder) {
	if !heading(b, "Learned (proposed)", len(r.Learned)) {
		return
	}
	const most = 10
	for _, p := range r.Learned[:min(len(r.Learned), most)] {
		fmt.Fprintf(b, "- %d, %s: %s\n", p.Num, kindWords(p.Kind), code(p.Summary))
	}
	fmt.Fprintf(b, "\n`ralph learn list` shows what helps; `ralph learn promote N` or `drop N` reviews it.\n")
}

// mostTitle columns of a task stand in a report, and mostNote of what a person should look
// at: a note that is cut could leave out what matters.
const mostTitle, mostNote = 160, 8000

func orNone(s *string) string {
	if s == nil {
		return "none"
	}
	return code(*s)
}

// command is the next command under a list item.
func command(next *string) string {
	if next == nil {
		return ""
	}
	return "  " + code(*next) + "\n"
}
