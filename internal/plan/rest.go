package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// rest returns why nothing can continue.
func (c *chooser) rest() {
	a := c.add(DoRest, nil, "")
	a.Rest = c.why()
	if a.Rest.Status.Terminal() {
		a.Rest.Message += c.s.unproved()
	}
}

func (c *chooser) why() Rested {
	n := c.count()
	switch {
	case c.s.PauseAsked:
		return Rested{Status: loop.Paused, Message: onRequest}
	case n.human > 0 || c.s.OpenQuestion() != nil:
		return c.asks(n)
	case n.limits.any():
		return Rested{Status: loop.Paused, Reason: n.limits.reason(), Message: n.limits.words()}
	case n.paused > 0:
		return Rested{Status: loop.Paused, Message: onRequest}
	case c.s.unpaid():
		return Rested{Status: loop.Aborted, Reason: loop.Budget, Message: "the budget is spent; what is proved and does not fit what landed before waits for a repair; " + tasksLeft(n.left)}
	case c.failed(loop.Budget):
		return Rested{Status: loop.Aborted, Reason: loop.Budget, Message: "the budget is spent; " + tasksLeft(n.open+n.failed)}
	case n.ready > 0 && c.s.Left() < 1:
		return Rested{Status: loop.Aborted, Reason: loop.Budget, Message: amount(c.s.Budget(), "1 attempt was the budget; ", "%d attempts were the budget; ") + tasksLeft(n.open)}
	case n.failed > 0:
		return Rested{Status: loop.StatusFailed, Reason: SomeFailed, Message: fmt.Sprintf("%d of %s failed (%s)%s", n.failed, amount(n.all, "1 task", "%d tasks"), strings.Join(n.names, ", "), n.behind())}
	case n.open == 0 || n.wanted == 0:
		return Rested{Status: loop.StatusPassed, Reason: PartDone, Message: "the tasks asked for are done" + n.others()}
	}
	return Rested{Status: loop.StatusFailed, Reason: Stranded, Message: amount(n.open, "1 task waits for a task that cannot be done", "%d tasks wait for tasks that cannot be done")}
}

// Asking returns the state of a run that waits for a person, whatever else is
// in progress; false if no question is open.
func Asking(g *Graph, s State) (Rested, bool) {
	c := newChooser(g, &s, nil)
	n := c.count()
	return c.asks(n), n.human > 0 || s.OpenQuestion() != nil
}

func (c *chooser) asks(n counts) Rested {
	return Rested{Status: loop.Waiting, Reason: loop.ForHuman, Message: n.questions() + n.limits.behind()}
}

const onRequest = "paused on request"

func (n counts) questions() string {
	return amount(n.human+n.asked, "1 question waits for a person", "%d questions wait for a person")
}

// amount chooses the singular or the plural, which holds a %d.
func amount(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(more, n)
}

func tasksLeft(n int) string { return amount(n, "1 task is left", "%d tasks are left") }

// behind counts the tasks that wait for those that failed.
func (n counts) behind() string {
	words := ""
	if n.wanted > 0 {
		words = amount(n.wanted, "; 1 waits for them", "; %d wait for them")
	}
	if more := n.open - n.wanted; more > 0 {
		words += amount(more, "; 1 was not asked for", "; %d were not asked for")
	}
	return words
}

// others counts the tasks that the run was not about.
func (n counts) others() string {
	words := ""
	if n.open > 0 {
		words = amount(n.open, "; 1 other is left", "; %d others are left")
	}
	if len(n.before) > 0 {
		words += "; failed before: " + text.Few(n.before, mostNamed)
	}
	return words
}

// mostNamed tasks are named where several are meant.
const mostNamed = 5

type counts struct {
	all, open, ready, wanted, failed, human, asked, paused int
	// left are all that are not over.
	left  int
	names []string
	// before are the failed tasks that the run is not about.
	before []string
	// limits are the tasks that loops paused without a person.
	limits limited
}

func (c *chooser) count() counts {
	n := counts{ready: len(c.ready())}
	n.rests(c.s.FinalRests, "the proof of the plan", "")
	for _, q := range c.s.Questions {
		if !q.Answered {
			n.asked++
		}
	}
	for _, t := range c.g.tasks {
		at := c.at[t.ID]
		if at == nil || at.Gone {
			continue
		}
		n.all++
		if at.Status != Done && at.Status != Skipped {
			n.left++
		}
		if !at.awaitsBudget() {
			n.rests(at.Rests, t.ID, at.Message)
		}
		switch at.Status {
		case Pending:
			n.open++
			if c.wants(t.ID) {
				n.wanted++
			}
		case Failed:
			if !c.wants(t.ID) {
				n.before = append(n.before, t.ID)
				continue
			}
			n.failed++
			if len(n.names) < 5 {
				n.names = append(n.names, t.ID)
			}
		}
	}
	return n
}

// rests counts a loop that makes no progress by its reason. Questions of the
// plan itself are counted with its questions.
func (n *counts) rests(why loop.Reason, who, message string) {
	switch {
	case why == "", why == ForPerson:
	case why == loop.ForHuman:
		n.human++
	case byLimit(why):
		n.limits.add(why, who, message)
	default:
		n.paused++
	}
}

// Paused tasks: by a person, or by a limit: a budget that is used up (on_spent:
// pause), or a usage limit (on_usage_limit: pause). It stays as it is until a
// person continues with the plan.

// byLimit: a loop that rests for this was paused by a limit.
func byLimit(why loop.Reason) bool { return why == loop.Budget || why.OfQuota() }

// paused: the loop in progress is stuck, and has no question: it continues
// with the plan. The task keeps its place among those at work: a resource that
// is short for one is mostly short for the next, which would begin only to be
// paused too.
func (t *TaskState) paused() bool {
	return t.Now() != "" && t.Rests != "" && t.Rests != loop.ForHuman && t.Rests != ForPerson
}

// PausedByPerson reports whether a loop that rests for this was paused by a person.
func PausedByPerson(why loop.Reason) bool {
	return why != "" && why != loop.ForHuman && why != ForPerson && why != ForCapacity && !byLimit(why)
}

// HasPaused reports whether a person has paused a task.
func (s *State) HasPaused() bool {
	return slices.ContainsFunc(s.Tasks, func(t TaskState) bool { return PausedByPerson(t.Rests) })
}

// limited are the loops that limits have paused, by the reason of each: several
// often report the same limit.
type limited struct {
	spent bool
	says  []said
}

type said struct {
	words string
	who   []string
}

func (l *limited) add(why loop.Reason, who, words string) {
	usual := "a usage limit is reached"
	if why == loop.Budget {
		l.spent, usual = true, "a budget is used up"
	}
	words = cmp.Or(words, usual)
	for i := range l.says {
		if l.says[i].words == words {
			l.says[i].who = append(l.says[i].who, who)
			return
		}
	}
	l.says = append(l.says, said{words, []string{who}})
}

func (l limited) any() bool { return len(l.says) > 0 }

// reason is the budget where one is used up: its end does not come by itself.
func (l limited) reason() loop.Reason {
	if l.spent {
		return loop.Budget
	}
	return loop.ForLimit
}

// mostSaid limits, and loops of each, are named; more would hide them.
const mostSaid = 3

func (l limited) words() string {
	var parts []string
	for _, s := range l.says[:min(len(l.says), mostSaid)] {
		who := strings.Join(s.who[:min(len(s.who), mostSaid)], ", ")
		if more := len(s.who) - mostSaid; more > 0 {
			who += amount(more, " and 1 more", " and %d more")
		}
		parts = append(parts, who+": "+s.words)
	}
	if more := len(l.says) - mostSaid; more > 0 {
		parts = append(parts, amount(more, "1 more limit", "%d more limits"))
	}
	return "paused by a limit: " + strings.Join(parts, "; ")
}

// behind returns the text for them after other text.
func (l limited) behind() string {
	if !l.any() {
		return ""
	}
	return "; " + l.words()
}
