package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// LandedEvidence is what the gates of a plan left on tip, the commit with its landed work.
func LandedEvidence(tip string, gates []loop.Gate, results []loop.Result, now time.Time, p Palette) string {
	var b strings.Builder
	judged := Loop{Spec: loop.Spec{Gates: gates}}
	fmt.Fprintf(&b, "%s  %s\n", p.bold("LANDED"), short(tip))
	for _, r := range results {
		judged.proof(&b, r, now, p)
	}
	return p.Out(b.String())
}

// Facts are the facts about the plan as rows, for front ends that lay out by themselves.
// All of it is safe to show as text.
func (v Plan) Facts(now time.Time) []Fact {
	var out []Fact
	o := v.Object
	add := func(name string, values ...string) {
		if len(values) > 0 && values[0] != "" {
			out = append(out, Fact{name, values})
		}
	}
	add("note", text.Line(o.Note))
	add("now", text.Line(o.Message))
	add("plan", text.Line(o.File))
	if o.Accepted != nil { // which deletes the branch
		add("accepted", short(*o.Accepted))
	} else {
		add("branch", text.Line(o.Branch)+" at "+short(o.Tip))
	}
	if c := v.Clash; c != nil {
		add(clashName(c), clashWords(c, v.ID, o.Branch)...)
	}
	add("attempts", o.attemptsWords())
	if o.Review != nil {
		add("review", text.Line(v.Verdict))
	}
	add("cost", costOf(v.Usage, v.CostUnknown))
	var lines []string
	for _, s := range o.Spent {
		lines = append(lines, spentWords(s))
	}
	add("reviews", lines...)
	lines = nil
	for _, b := range o.Budgets {
		lines = append(lines, text.Line(b.Line()))
	}
	add("budget", lines...)
	lines = nil
	for _, f := range v.Open {
		lines = append(lines, strings.ReplaceAll(string(f.Kind), "_", " ")+": "+text.Line(f.Text))
	}
	add("open", lines...)
	lines = nil
	for _, q := range o.Unanswered {
		lines = append(lines, text.Line(unansweredWords(q)))
	}
	add("decided without you", lines...)
	if !v.StartedAt.IsZero() {
		add("from", text.Clock(v.StartedAt, now))
	}
	if len(v.Longest) > 1 {
		add("longest chain", text.Clip(strings.Join(v.Longest, " → "), 300))
	}
	return out
}

// AgentRow is what one agent was used for.
type AgentRow struct{ Name, Iterations, Tokens, Cost string }

// AgentRows is the table of agents of the report.
func (r Summary) AgentRows() []AgentRow {
	var out []AgentRow
	for _, a := range r.Agents {
		who, times := a.row()
		out = append(out, AgentRow{who, times, kinds(a.Usage), cost(a.Usage)})
	}
	return out
}
