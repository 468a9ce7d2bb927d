package notice

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/text"
)

// Schema is that of a notice as JSON.
const Schema = "ralph.notify/v1"

// Kind is what a notice is about: its event.
type Kind string

// The kinds.
const (
	Question      Kind = "question"
	Dispute       Kind = "dispute"
	LoginRefused  Kind = "login_refused"
	LimitHit      Kind = "limit_hit"
	LimitOver     Kind = "limit_over"
	BudgetWarning Kind = "budget_warning"
	BudgetSpent   Kind = "budget_spent"
	LoopPassed    Kind = "loop_passed"
	LoopFailed    Kind = "loop_failed"
	PlanEnded     Kind = "plan_ended"
	Recovered     Kind = "recovered"
	GivenUp       Kind = "given_up"
	// Several is the event of a message about more than one thing; Test that of
	// `ralph notify test`.
	Several Kind = "several"
	Test    Kind = "test"
)

// Kinds returns those that a target may select.
func Kinds() []Kind {
	return []Kind{
		Question, Dispute, LoginRefused, LimitHit, LimitOver, BudgetWarning, BudgetSpent,
		LoopPassed, LoopFailed, PlanEnded, Recovered, GivenUp,
	}
}

// Default reports whether a target without a selection gets the kind: all but the
// usage limits, about which nothing can be done.
func (k Kind) Default() bool { return k != LimitHit && k != LimitOver }

// Condition reports whether the kind is about something that may end by itself. Such a
// notice is not delivered once it has.
func (k Kind) Condition() bool {
	return slices.Contains([]Kind{Question, Dispute, LoginRefused, LimitHit, BudgetSpent}, k)
}

// Reminded reports whether the kind is told once more while it stays true: a person
// has to decide something.
func (k Kind) Reminded() bool { return slices.Contains([]Kind{Question, Dispute, LoginRefused}, k) }

// ReminderKey begins the key of a reminder; the key of its notice follows.
const ReminderKey = "reminder "

// Reminder is the notice once more, as a notice of its own.
func (n Notice) Reminder() Notice {
	n.Key, n.Title = ReminderKey+n.Key, text.Clip("reminder: "+n.Title, mostTitle)
	return n
}

// Condition is the key of what a notice is about: for a reminder that of its notice.
func (n Notice) Condition() string { return strings.TrimPrefix(n.Key, ReminderKey) }

// Severity is how much a notice matters: a person has to act, should look, or is only
// told.
type Severity string

// The severities.
const (
	Action Severity = "action"
	Warn   Severity = "warn"
	Info   Severity = "info"
)

// Severity returns that of the kind.
func (k Kind) Severity() Severity {
	switch k {
	case Question, Dispute, LoginRefused, BudgetSpent, GivenUp:
		return Action
	case LoopFailed, BudgetWarning, Recovered:
		return Warn
	}
	return Info
}

// Notice is one thing to tell, as programs get it.
type Notice struct {
	Schema string `json:"schema"`
	// ID is the same whenever the notice is sent again.
	ID       string   `json:"id"`
	Event    Kind     `json:"event"`
	Severity Severity `json:"severity"`
	Project  string   `json:"project"`
	// Run is a loop or a plan, by Kind; Plan the one that a loop works for, on Task.
	Run     string `json:"run,omitempty"`
	RunKind string `json:"run_kind,omitempty"`
	Plan    string `json:"plan,omitempty"`
	Task    string `json:"task,omitempty"`

	Title string `json:"title"`
	Body  string `json:"body,omitempty"`
	// Command answers, or shows more; empty where nothing is to be done.
	Command string `json:"command,omitempty"`
	// Question and its options, where one is open.
	Question string    `json:"question,omitempty"`
	Options  []string  `json:"options,omitempty"`
	At       time.Time `json:"at"`
	// Answers are the buttons of a question: a POST to its address gives the answer.
	Answers []Button `json:"answers,omitempty"`
	// Count is how many things a message of the kind several is about, Events are their
	// kinds. Run, RunKind, Plan and Command are there where all are about one run, or about one
	// plan and its loops.
	Count  int    `json:"count,omitempty"`
	Events []Kind `json:"events,omitempty"`

	// Key tells notices of a project apart.
	Key string `json:"-"`
}

// Button is an answer that can be given from a message.
type Button struct {
	Label  string `json:"label"`
	Method string `json:"method"`
	URL    string `json:"url"`
}

// What one message holds at most, in columns and bytes.
const (
	mostTitle = 120
	mostQuote = 300
	// mostRaw is how much of a text is looked at for secrets: what is cut before it is
	// masked may hold the half of one.
	mostRaw  = 16 << 10
	mostBody = 1500
	// mostListed is how many things a digest names.
	mostListed = 10
)

// quote is text of an agent or a program in one line, which Masked bounds.
func quote(s string) string { return text.Clip(s, mostRaw) }

// heading is the first line of a message. An empty subject is left out.
func heading(project, subject, what string) string {
	if subject != "" {
		project += " · " + subject
	}
	return text.Clip(project+" — "+what, mostRaw)
}

// Identify gives a notice its id, which tells it from those of other stores.
func (n Notice) Identify(store string) Notice {
	sum := sha256.Sum256([]byte(store + "\x00" + n.Key))
	n.Schema, n.ID = Schema, "ntc_"+hex.EncodeToString(sum[:12])
	return n
}

// Text is the body of a message, with the command as its last line. A message about several
// things has the command of each in its body.
func (n Notice) Text() string {
	if n.Command == "" || n.Event == Several {
		return n.Body
	}
	return strings.TrimPrefix(n.Body+"\n"+n.Command, "\n")
}

// Masked is the notice with its texts through a filter, and bounded after it.
func (n Notice) Masked(mask func(string) string) Notice {
	n.Title = text.Clip(mask(n.Title), mostTitle)
	lines := strings.Split(mask(n.Body), "\n")
	for i := range lines {
		lines[i] = text.Clip(lines[i], mostQuote)
	}
	n.Body = text.Head(strings.Join(lines, "\n"), mostBody)
	n.Command, n.Options = mask(n.Command), slices.Clone(n.Options)
	for i := range n.Options {
		n.Options[i] = text.Line(mask(n.Options[i]))
	}
	return n
}

// Join makes one message of several notices: the first ones are listed, each with the
// command that answers it.
func Join(all []Notice) Notice {
	if len(all) == 1 {
		return all[0]
	}
	slices.SortStableFunc(all, func(a, b Notice) int { return cmp.Compare(rank(a), rank(b)) })
	ids, events := make([]string, len(all)), make([]Kind, len(all))
	var body strings.Builder
	needs := 0
	for i, n := range all {
		ids[i], events[i] = n.ID, n.Event
		if n.Severity == Action {
			needs++
		}
		if i < mostListed {
			fmt.Fprintf(&body, "%s\n", strings.TrimPrefix(n.Title, n.Project+" · "))
			if n.Command != "" {
				fmt.Fprintf(&body, "  %s\n", n.Command)
			}
		}
	}
	if more := len(all) - mostListed; more > 0 {
		fmt.Fprintf(&body, "and %d more\n", more)
	}
	what := fmt.Sprintf("%d events", len(all))
	if needs > 0 {
		what += fmt.Sprintf(", %d %s you", needs, map[bool]string{true: "needs", false: "need"}[needs == 1])
	}
	first, subject := all[0], common(all)
	out := Notice{
		Run: subject.Run, RunKind: subject.RunKind, Command: subject.Command, Events: events,
		Event: Several, Severity: first.Severity, Project: first.Project, At: first.At, Count: len(all),
		Title: heading(first.Project, "", what), Body: text.Head(strings.TrimSpace(body.String()), mostBody), Key: strings.Join(ids, " "),
	}
	return out.Identify("several")
}

// common is the run that all of these are about, and the command for it: that of its own
// notice, else that of the most urgent one. It is empty where they are about more than one.
func common(all []Notice) (of Notice) {
	for _, n := range all {
		run, kind := n.Run, n.RunKind
		if n.Plan != "" {
			run, kind = n.Plan, "plan"
		}
		if of.Run != "" && (run != of.Run || kind != of.RunKind) || run == "" {
			return Notice{}
		}
		of.Run, of.RunKind = run, kind
	}
	own := slices.IndexFunc(all, func(n Notice) bool { return n.Run == of.Run && n.Command != "" })
	if own < 0 {
		own = max(slices.IndexFunc(all, func(n Notice) bool { return n.Command != "" }), 0)
	}
	of.Command = all[own].Command
	return of
}

// rank orders what needs a person first.
func rank(n Notice) int { return slices.Index([]Severity{Action, Warn, Info}, n.Severity) }
