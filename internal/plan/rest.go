package plan

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// rest says why nothing goes on.
func (c *chooser) rest() {
	a := c.add(DoRest, nil, "")
	a.Rest = c.why()
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
		return Rested{Status: loop.StatusPassed, Reason: PartDone, Message: "the tasks asked for are done; " + amount(n.open, "1 other is left", "%d others are left")}
	}
	return Rested{Status: loop.StatusFailed, Reason: Stranded, Message: amount(n.open, "1 task waits for what nobody does", "%d tasks wait for what nobody does")}
}

// Asking is how a run rests that waits for a person, whatever else is under way;
// false where nothing is asked.
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

// amount is a number in words: one, or more with its %d.
func amount(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(more, n)
}

func tasksLeft(n int) string { return amount(n, "1 task is left", "%d tasks are left") }

// behind says how many tasks wait for those that failed.
func (n counts) behind() string {
	if n.open == 0 {
		return ""
	}
	return amount(n.open, "; 1 waits for them", "; %d wait for them")
}

type counts struct {
	all, open, ready, wanted, failed, human, asked, paused int
	// left are all that are not over.
	left  int
	names []string
	// limits are what paused loops, and no person did.
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
	wanted := c.g.wanted(c.s.Rules.Only)
	for i, t := range c.g.tasks {
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
			if wanted == nil || wanted[i] {
				n.wanted++
			}
		case Failed:
			n.failed++
			if len(n.names) < 5 {
				n.names = append(n.names, t.ID)
			}
		}
	}
	return n
}

// rests counts a loop that does not get on by why it does not. What the plan
// itself asks about is counted with its questions.
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
