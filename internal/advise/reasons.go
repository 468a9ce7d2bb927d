package advise

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"ralph/internal/text"
)

// The numbers of seed 001 and the sources that it gives for them.
const (
	// Above this completion rate of single loops, in per cent, more loops cost
	// more than they bring; at exactly this they may still pay.
	mostCompletion = 45.0
	// Above so many tool calls in an attempt coordination weighs too much.
	mostToolCalls = 8.0
	// Many loops on strictly sequential work lose so much, in per cent.
	leastLoss, mostLoss = 39, 70
	// Errors of loops multiply so often without and with a centre.
	alone, centred = 17.2, 4.4
	// mostLoops at once: beyond it there is no further gain.
	mostLoops = 4
	// firstLoops to start with while nothing is known.
	firstLoops = 3
	// hierarchy begins at so many loops.
	hierarchy = 8
	// groupSize is how many loops one orchestration has (seed 000).
	groupSize = 3

	fromTax   = "seed 001 (REF-086)"
	fromGuide = "seed 001 (REF-088)"
	fromSeed0 = "seed 000"
)

const (
	perCent = "per_cent"
	calls   = "calls"
	tasks   = "tasks"
	millis  = "ms"
)

// here names the history as a source.
func (h *History) here() string {
	if h.Cut {
		return fmt.Sprintf("this repository, the newest %s", text.Plural(h.Loops, "loop"))
	}
	return fmt.Sprintf("this repository, %s", text.Plural(h.Loops, "loop"))
}

// completion weighs how often one loop alone is enough.
func (a *Advice) completion() {
	h := &a.History
	r := Reason{Code: "completion", Limit: new(mostCompletion), Unit: new(perCent), Rule: fromTax}
	if h.Completion == nil {
		r.Favors, r.Text = Unknown, "how often one loop alone completes its task here: no loop that counts has ended yet"
		a.Assumed = append(a.Assumed, fmt.Sprintf("one loop alone completes no more than %s %% of its tasks", num(mostCompletion)))
		a.add(r)
		return
	}
	r.Value, r.From = h.Completion, h.here()
	r.Text = fmt.Sprintf("one loop completes %s %% of its tasks (%d of %d; 95 %% certain: %.0f–%.0f %%); more than %s %% need no second one",
		num(*h.Completion), h.Completed, h.Loops, h.Interval[0], h.Interval[1], num(mostCompletion))
	r.Favors = ForMany
	if *h.Completion > mostCompletion {
		r.Favors = ForOne
	}
	if !h.sure() {
		a.Assumed = append(a.Assumed, fmt.Sprintf("the completion rate is on its side of %s %%, though %s are too few to be sure", num(mostCompletion), text.Plural(h.Loops, "loop")))
	}
	a.add(r)
}

// toolCalls weighs how much of an attempt is talk with tools.
func (a *Advice) toolCalls() {
	h := &a.History
	r := Reason{Code: "tool_calls", Limit: new(mostToolCalls), Unit: new(calls), Rule: fromTax}
	if h.ToolCalls == nil {
		r.Favors, r.Text = Unknown, "tool calls in an attempt: n/a, no agent here has reported them"
		a.Assumed = append(a.Assumed, fmt.Sprintf("an attempt makes no more than %s tool calls", num(mostToolCalls)))
		a.add(r)
		return
	}
	r.Value = h.ToolCalls
	r.From = fmt.Sprintf("this repository, %d of %s", h.Counted, text.Plural(h.Attempts, "attempt"))
	r.Text = fmt.Sprintf("an attempt makes %s tool calls; beyond %s coordination weighs too much", num(*h.ToolCalls), num(mostToolCalls))
	r.Favors = ForMany
	if *h.ToolCalls > mostToolCalls {
		r.Favors = ForOne
	}
	a.add(r)
}

// overhead weighs the cost of n loops besides their work: each result is judged
// again, one after another, when it is merged. The first one needs no second
// judgement.
func (a *Advice) overhead(n int) {
	h := &a.History
	r := Reason{Code: "overhead", Unit: new(millis), Rule: "seed 001: less than a task"}
	if h.GatesMS == nil || h.TaskMS == nil {
		r.Favors, r.Text = Unknown, "what it costs to bring the work of several loops together: no attempt was judged here yet"
		a.Assumed = append(a.Assumed, "bringing work together takes less time than a task")
		a.add(r)
		return
	}
	cost := int64(n-1) * *h.GatesMS
	r.Value, r.Limit, r.From = new(float64(cost)), new(float64(*h.TaskMS)), h.here()
	r.Text = fmt.Sprintf("bringing the work of %s together takes about %s (gates again, one after another), a task about %s",
		text.Plural(n, "loop"), span(cost), span(*h.TaskMS))
	r.Favors = ForMany
	if n > 1 && cost >= *h.TaskMS {
		r.Favors = ForOne
	}
	a.add(r)
}

// errors adds by how much mistakes multiply.
func (a *Advice) errors() {
	a.add(Reason{
		Code: "errors", Favors: Note, From: fromTax,
		Text: fmt.Sprintf("mistakes multiply %s× between loops without coordination, %s× with one registry and admission, as here", num(alone), num(centred)),
	})
}

func span(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// num shows one digit behind the point, or as many as it takes not to look like
// the limit that it misses.
func num(v float64) string {
	s := strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64)
	if near := math.Round(10*v) / 10; v != near && (near == mostCompletion || near == mostToolCalls) {
		return strconv.FormatFloat(v, 'f', 4, 64)
	}
	return s
}
