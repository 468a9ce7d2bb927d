package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/next"
	"ralph/internal/text"
)

// Show is the history of one loop: facts, attempts, the last failure verbatim,
// evidence, notes, and the next command.
func (l Loop) Show(now time.Time, p Palette) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", p.status(l.Status, l.Reason), p.bold(text.Line(l.ID)))
	for _, part := range l.Story(now, p) {
		if part.Title != Known {
			fmt.Fprintf(&b, "\n%s\n", p.bold(part.Title))
		}
		b.WriteString(part.Text)
	}
	return p.Out(b.String())
}

// Part is one section of a loop's story. Its text has whole lines.
type Part struct{ Title, Text string }

// The titles of parts; that of the last failure continues with its attempt.
const (
	Known       = "FACTS"
	Tried       = "ATTEMPTS"
	LastFailure = "LAST FAILURE"
	Judged      = "GATES"
	LookTwice   = "LOOK TWICE"
	ToType      = "NEXT"
)

// Story describes a loop in parts, for front ends with an order
// of their own. Parts without a word are left out.
func (l Loop) Story(now time.Time, p Palette) []Part {
	var out []Part
	part := func(title string, write func(*strings.Builder)) {
		var b strings.Builder
		if write(&b); b.Len() > 0 {
			out = append(out, Part{title, p.Out(b.String())})
		}
	}
	part(Known, func(b *strings.Builder) { l.facts(b, p, now) })
	part(Tried, func(b *strings.Builder) { l.attempts(b, p) })
	if a := l.Failed; a != nil && l.Status != loop.StatusPassed {
		part(fmt.Sprintf("%s (attempt %d)", LastFailure, a.N), func(b *strings.Builder) { failure(b, *a, p) })
	}
	part(Judged, func(b *strings.Builder) { l.gateRows(b, p) })
	part(LookTwice, func(b *strings.Builder) { l.notes(b, p) })
	part(ToType, func(b *strings.Builder) {
		if l.Next != "" {
			fmt.Fprintf(b, "  %s\n", text.Line(l.Next))
		}
		if allow := l.allow(); allow != "" && allow != l.Next {
			fmt.Fprintf(b, "  %s%s\n", text.Line(allow), ifRight)
		}
	})
	return out
}

func (l Loop) facts(b *strings.Builder, p Palette, now time.Time) {
	l.eachFact(p, now, func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "%-10s%s\n", name, value)
		}
	})
}

// eachFact calls fact with the name and value of each fact. One without a name continues
// the fact before it; one without a value is unknown.
func (l Loop) eachFact(p Palette, now time.Time, fact func(name, value string)) {
	fact("task", hang(l.Spec.Task.Text, 10, p.screen()))
	for i, c := range l.Spec.Task.Criteria {
		fact([]string{"criteria", ""}[min(i, 1)], "- "+folded(c, 12, p.screen()))
	}
	name := "now"
	if l.Status.Terminal() {
		name = "ended"
	}
	for i, line := range text.WrapWords(strings.Join(append([]string{l.Why}, l.Behind...), "; "), p.width()-10) {
		fact([]string{name, ""}[min(i, 1)], line)
	}
	fact("agent", agentName(l.Spec.Agent))
	fact("sandbox", l.Sandbox)
	fact("refuse", refused(l.Spec))
	fact("attempts", fmt.Sprintf("%d of %d", l.Made, l.Spec.Limits.MaxIterations))
	if l.Accepted == "" && l.hasBranch() { // accepting deletes it
		fact("branch", text.Line(l.Spec.Branch))
	}
	fact("from", startOf(l.Spec))
	fact("commit", text.Line(l.Commit))
	if l.Accepted != "" {
		fact("accepted", "as "+short(l.Accepted))
	}
	if c := l.Clash; c != nil {
		for i, line := range clashWords(c, l.ID, l.Spec.Branch) {
			fact([]string{clashName(c), ""}[min(i, 1)], line)
		}
	}
	fact("retried", prefixed("by ", text.Line(l.RetriedBy)))
	fact("retry of", text.Line(l.Spec.RetryOf))
	fact("proof", weighed(l.Proof))
	fact("canary", l.untried())
	fact("worktree", text.Line(l.Worktree))
	fact("kept on", text.Line(l.KeptOn))
	fact("time", l.times(now))
	fact("usage", "tokens "+tokens(l.Usage)+" · cost "+costOf(l.Usage, l.CostUnknown))
	if len(l.Spent) > 1 || len(l.Spent) == 1 && l.Spent[0].Review {
		for i, p := range l.Spent {
			fact([]string{"by agent", ""}[min(i, 1)], spentWords(p))
		}
	}
	for i, b := range l.Budgets {
		fact([]string{"budgets", ""}[min(i, 1)], string(b.Level)+": "+b.Line())
	}
	if l.LimitWait > 0 {
		fact("waited", text.Duration(l.LimitWait)+" for the agent's provider")
	}
	if !l.Status.Terminal() {
		fact("owner", l.ownerWords())
	}
	fact("parent", text.Line(l.Spec.Parent))
	fact("scope", listed(l.Spec.Task.Scope, 8))
	for _, o := range l.Overlaps {
		fact("", o.Words())
	}
	if l.Archived {
		fact("archived", "yes")
	}
	for _, g := range l.Guidance {
		fact("guidance", folded(g, 10, p.screen()))
	}
	for _, q := range l.Questions {
		if q.Answered {
			fact("answered", folded(q.Text+" → "+answeredWords(q), 10, p.screen()))
		}
	}
}

// ownerWords name the process that has the loop, or the one that had it last.
func (l Loop) ownerWords() string {
	if l.Live {
		return text.Line(l.Owner)
	}
	return prefixed("none now; last: ", text.Line(l.Owner))
}

// prefixed is s behind a prefix, where there is one.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func (l Loop) times(now time.Time) string {
	if l.StartedAt.IsZero() {
		return ""
	}
	words := "from " + text.Clock(l.StartedAt, now)
	if !l.EndedAt.IsZero() {
		words += " to " + text.Clock(l.EndedAt, now)
	}
	return words + ", " + text.Duration(l.Active) + " of it active"
}

// mostAttempts is how many attempts, the newest ones, the story of a loop has.
const mostAttempts = 50

// newestAttempts are the last of the attempts, with words that tell where those before are.
func (l Loop) newestAttempts() (newest []loop.Attempt, before string) {
	earlier := max(len(l.Attempts)-mostAttempts, 0)
	if earlier > 0 {
		before = text.Plural(earlier, "attempt") + " before these: " + next.Show(l.ID, "--attempts")
	}
	return l.Attempts[earlier:], before
}

// attempts is the history table of seed 004, one row an attempt.
func (l Loop) attempts(b *strings.Builder, p Palette) {
	if len(l.Attempts) == 0 {
		return
	}
	newest, before := l.newestAttempts()
	if before != "" {
		fmt.Fprintf(b, "  %s\n", before)
	}
	fmt.Fprintf(b, "  %-3s %-9s %-14s %-9s %-13s %s\n", "#", "result", "gate", "hash", "approach", "change")
	for _, a := range newest {
		fmt.Fprintf(b, "  %-3d %s %s %s %s %s\n", a.N, l.resultCell(a, p),
			text.Pad(text.Clip(a.FailedGate, 14), 14), text.Pad(text.Clip(a.Fingerprint, 9), 9), text.Pad(approach(a.Approach), 13),
			text.Clip(l.changeWords(a), max(p.width()-55, 12)))
		if met := a.Met(); met != "" && !l.awaitsRuling(a) { // with the exit code of ralph dispute
			fmt.Fprintf(b, "      agent %s\n", text.Clip(met, max(p.width()-12, 12)))
		}
	}
}

// resultWord is the verdict on an attempt. Without one it is under way, or the loop ended
// before it was judged.
func (l Loop) resultWord(a loop.Attempt) string {
	switch {
	case a.Verdict != "":
		return string(a.Verdict)
	case l.Status.Terminal():
		return "unjudged"
	case l.awaitsRuling(a):
		return "disputed"
	}
	return "under way"
}

// awaitsRuling reports whether an attempt ended with a dispute that is open.
func (l Loop) awaitsRuling(a loop.Attempt) bool { return l.disputing && a.N == l.Iteration }

func (l Loop) changeWords(a loop.Attempt) string {
	if l.awaitsRuling(a) {
		return "waits for an answer"
	}
	return change(a)
}

// resultMark is the colour of that word.
func (l Loop) resultMark(a loop.Attempt) string {
	if a.Verdict == "" && l.Status.Terminal() {
		return "dim"
	}
	return markOfVerdict(a.Verdict)
}

func (l Loop) resultCell(a loop.Attempt, p Palette) string {
	word := l.resultWord(a)
	switch a.Verdict {
	case "":
		return text.Pad(word, 9)
	case loop.Passed:
		return p.good(text.Pad("✓ "+word, 9))
	}
	return p.bad(text.Pad("✗ "+word, 9))
}

// change describes the changes of an attempt to the tree, and the end of its
// agent if that was not by itself.
func change(a loop.Attempt) string {
	var words string
	switch {
	case a.Changed && len(a.Files) > 0:
		words = text.Plural(len(a.Files), "file") + " " + short(a.Commit)
	case a.Changed:
		words = short(a.Commit)
	case a.Commit != "" || a.Tree != "":
		words = "no change"
	}
	if a.Agent.End != "" && a.Agent.End != loop.EndDone && a.Met() == "" {
		words += " (agent: " + string(a.Agent.End) + ")"
	}
	if u := usageOf(a); u.CostMicroUSD != nil {
		words += " · " + money.Show(*u.CostMicroUSD)
	}
	return strings.TrimSpace(words)
}

// failure prints the output of the gates of a failed attempt verbatim; where none failed, why
// it did not pass.
func failure(b *strings.Builder, a loop.Attempt, p Palette) {
	for _, r := range blocking(a.Results) {
		fmt.Fprintf(b, "  %s %s\n", p.verdict(r.Verdict), folded(r.Gate+": "+r.Reason, 4, p.screen()))
		verbatim(b, r.Excerpt)
	}
	if b.Len() > 0 {
		return
	}
	for i, line := range text.WrapWords(a.Error, p.width()-4) {
		fmt.Fprintf(b, "  %s%s\n", []string{"", "  "}[min(i, 1)], line)
	}
}

// blocking are the results that keep work from passing.
func blocking(results []loop.Result) []loop.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r loop.Result) bool { return r.Verdict == loop.Passed || r.Level == loop.Soft })
}

func verbatim(b *strings.Builder, excerpt string) {
	if excerpt = strings.Trim(text.Clean(excerpt), "\n"); excerpt != "" {
		fmt.Fprintf(b, "    %s\n", strings.ReplaceAll(excerpt, "\n", "\n    "))
	}
}
