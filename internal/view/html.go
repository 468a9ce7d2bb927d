package view

import (
	_ "embed"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

//go:embed report.html.tmpl
var page string

// HTML is the report as one file that needs no other: no script, nothing from
// the network, and a policy in it that forbids both. It can be sent, opened from
// a disk, and printed.
func HTML(r Summary, now time.Time) (string, error) {
	t, err := template.New("report").Parse(page)
	if err != nil {
		return "", fmt.Errorf("read the page of the report: %w", err)
	}
	var b strings.Builder
	if err := t.Execute(&b, pageOf(r, now)); err != nil {
		return "", fmt.Errorf("write the page of the report: %w", err)
	}
	return b.String(), nil
}

// pageData is the content of the page as cleaned text; the template escapes it.
type pageData struct {
	Title, Verdict, Span, Note, Total string
	Empty                             bool
	Plans                             []pagePlan
	Needing                           string
	Needs, Running, CutOff, Waiting   []pageOpen
	Ready                             []pageReady
	Accepted                          []pageNote
	Failed                            []pageFailed
	Stopped                           []pageNote
	Twice                             []pageNote
	Agents                            []pageAgent
	Learned                           []pageNote
	Loops                             []pageLoop
	Time                              *timeline
	Earlier                           string
	Moments                           []pageMoment
}

type (
	pagePlan struct {
		Title, Mark, Status, Line, Note, Landed, Accepted, Next, Take, Again, AgainWords string
		Open                                                                             []pageNote
	}
	pageOpen   struct{ Task, Status, Why, At, Next string }
	pageReady  struct{ Task, Evidence, Commit, Iter, Cost, Next, Branch string }
	pageNote   struct{ Task, Text string }
	pageMoment struct{ When, Who, Text string }
	pageAgent  struct{ Name, Iterations, Tokens, Cost string }

	pageFailed struct {
		Task, Status, Attempts, Gate, Branch, Error, Hash, Stuck, Cost, Next string
		Warnings                                                             int
		Output                                                               []pageOutput
	}
	pageOutput struct{ Gate, Text string }
	pageLoop   struct {
		Anchor, ID, Task, Agent, Status, Next string
		Attempts                              []pageAttempt
		Questions                             []pageQuestion
	}
	pageAttempt  struct{ N, Result, Mark, Gates, Hash, Took, Tokens, Commit string }
	pageQuestion struct{ Text, Answer string }
)

func pageOf(r Summary, now time.Time) pageData {
	d := pageData{
		Title: text.Line(r.Project), Verdict: r.Title, Span: span(r, now), Empty: r.Total == 0 && len(r.Plans) == 0,
		Needs: pageOpens(r.NeedsYou, now), Needing: r.needing(), Running: pageOpens(r.Running, now), CutOff: pageOpens(r.cutOff(), now), Waiting: pageOpens(r.waiting(), now),
		Time: timelineOf(r.loops, now), Total: costOf(r.Spent.Usage, r.Spent.CostUnknown),
	}
	if words := r.Uncounted(); words != "" {
		d.Total += " · " + words
	}
	d.Earlier = r.earlier()
	for _, m := range r.newest() {
		d.Moments = append(d.Moments, pageMoment{m.when(now), m.who(), m.words()})
	}
	if r.Scripted {
		d.Note = demonstration
	}
	for _, p := range r.Plans {
		d.Plans = append(d.Plans, pagePlanOf(p))
	}
	for _, t := range r.Ready {
		d.Ready = append(d.Ready, pageReady{
			Task: text.Clip(t.Task, mostTitle) + t.Agent.mark(), Evidence: text.Line(t.Evidence), Commit: short(deref(t.Commit)),
			Iter: strconv.Itoa(t.Iteration), Cost: t.Cost, Next: text.Line(t.Next), Branch: text.Line(t.Branch),
		})
	}
	for _, h := range r.Accepted {
		d.Accepted = append(d.Accepted, pageNote{text.Clip(h.Task, mostTitle), text.Line(h.LoopID) + " as " + short(h.Commit)})
	}
	for _, t := range r.failures(false) {
		d.Failed = append(d.Failed, pageFailedOf(t))
	}
	for _, t := range r.failures(true) {
		d.Stopped = append(d.Stopped, pageNote{text.Clip(t.Task, mostTitle) + t.Agent.mark(), t.stoppedWords()})
	}
	for _, n := range r.LookTwice {
		d.Twice = append(d.Twice, pageNote{text.Clip(n.Task, mostTitle), text.Line(n.Note)})
	}
	for _, a := range r.Agents {
		who, times := a.row()
		d.Agents = append(d.Agents, pageAgent{who, times, kinds(a.Usage), cost(a.Usage)})
	}
	for _, p := range r.Learned[:min(len(r.Learned), 10)] {
		d.Learned = append(d.Learned, pageNote{fmt.Sprintf("%d, %s", p.Num, kindWords(p.Kind)), text.Line(p.Summary)})
	}
	for n, i := range r.loops[:min(len(r.loops), mostOnPage)] {
		d.Loops = append(d.Loops, pageLoopOf(n, i))
	}
	return d
}

// mostOnPage bounds the page: the part of each loop is bounded too.
const mostOnPage = 400

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return text.Line(*s)
}

func pagePlanOf(p PlanSummary) pagePlan {
	o := pagePlan{
		Title: text.Clip(p.Title, mostTitle), Mark: markOf(p.Status), Status: string(p.Status), Line: p.line(),
		Next: deref(p.Next), Take: deref(p.Take), Again: deref(p.Again),
	}
	o.AgainWords = againWords(p.Status)
	if o.Again == o.Next {
		o.Again = ""
	}
	if o.Title == "" {
		o.Title = p.PlanID
	}
	o.Note = text.Line(p.Note)
	if p.Tip != p.Base {
		o.Landed = text.Line(p.Branch) + " at " + short(p.Tip) + ", " + p.proof()
	}
	if p.Accepted != nil {
		o.Landed = strings.TrimPrefix(o.Landed, text.Line(p.Branch)+" ") // accept deletes the branch
		o.Accepted = short(*p.Accepted)
	}
	for _, f := range p.Open {
		o.Open = append(o.Open, pageNote{strings.ReplaceAll(string(f.Kind), "_", " "), text.Line(f.Text)})
	}
	return o
}

func markOf(s loop.Status) string {
	switch s {
	case loop.StatusPassed:
		return "ok"
	case loop.StatusFailed, loop.Aborted, Crashed:
		return "bad"
	case loop.Waiting:
		return "ask"
	}
	return "go"
}

func pageOpens(all []Open, now time.Time) []pageOpen {
	var out []pageOpen
	for _, o := range all {
		p := pageOpen{Task: text.Clip(o.Task, mostTitle) + o.Agent.mark(), Status: string(o.Status), Why: text.Line(o.Why), Next: deref(o.Next)}
		if o.Since != nil {
			p.At = text.Clock(*o.Since, now)
		}
		out = append(out, p)
	}
	return out
}

func pageFailedOf(t FailedTask) pageFailed {
	o := pageFailed{
		Task: text.Clip(t.Task, mostTitle) + t.Agent.mark(), Status: string(t.Status) + ", " + text.Line(string(t.Reason)),
		Attempts: fmt.Sprintf("%d/%d", t.Attempts, t.MaxAttempts), Gate: orWord(deref(t.LastGate)), Branch: orWord(deref(t.Branch)),
		Error: text.SpacedLine(t.Error), Hash: deref(t.Fingerprint), Stuck: yesNo(t.Stuck) + " (" + text.Line(t.StuckWhy) + ")",
		Next: text.Line(t.Next), Warnings: t.QualityWarnings, Cost: t.Cost,
	}
	for _, r := range t.red {
		o.Output = append(o.Output, pageOutput{text.Line(r.Gate), excerpt(r)})
	}
	return o
}

func orWord(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "Yes"
	}
	return "No"
}

// redOf are the results that are no pass and no skip.
func redOf(results []loop.Result) []loop.Result {
	var out []loop.Result
	for _, r := range results {
		if r.Verdict == loop.Failed || r.Verdict == loop.Error {
			out = append(out, r)
		}
	}
	return out
}

// mostExcerpt lines of a failure are shown verbatim.
const mostExcerpt = 100

// excerpt returns the output of a gate, cleaned, in whole lines of bounded
// length.
func excerpt(r loop.Result) string {
	lines := strings.Split(strings.TrimSpace(text.Clean(r.Excerpt)), "\n")
	if n := len(lines) - mostExcerpt; n > 0 {
		lines = append([]string{fmt.Sprintf("… %s before …", text.Plural(n, "line"))}, lines[n:]...)
	}
	for i := range lines {
		lines[i] = text.Cut(strings.ReplaceAll(lines[i], "\t", "    "), 500)
	}
	return strings.Join(lines, "\n")
}

func pageLoopOf(n int, l Loop) pageLoop {
	o := pageLoop{
		Anchor: fmt.Sprintf("loop-%d", n), ID: text.Line(l.ID), Task: text.Clip(l.Spec.Task.Text, mostTitle), Agent: agentName(l.Spec.Agent),
		Status: string(l.Status), Next: text.Line(l.Next),
	}
	for _, a := range l.Attempts {
		o.Attempts = append(o.Attempts, l.attemptRow(a))
	}
	for _, q := range l.Questions {
		answer := answeredWords(q)
		switch {
		case q.Answered:
		case l.Status.Terminal():
			answer = "(not answered)"
		default:
			answer = "(open)"
		}
		o.Questions = append(o.Questions, pageQuestion{text.Line(q.Text), answer})
	}
	return o
}

func (l Loop) attemptRow(a loop.Attempt) pageAttempt {
	row := pageAttempt{
		N: fmt.Sprint(a.N), Result: l.resultWord(a), Mark: l.resultMark(a), Gates: evidence(a.Results),
		Hash: text.Line(a.Fingerprint), Tokens: tokens(usageOf(a)), Commit: short(a.Commit),
	}
	if !a.StartedAt.IsZero() && !a.EndedAt.IsZero() {
		row.Took = text.Duration(max(a.EndedAt.Sub(a.StartedAt), 0)) // clocks are set back
	}
	return row
}
