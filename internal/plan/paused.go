package plan

import (
	"cmp"
	"strings"

	"ralph/internal/loop"
)

// What is paused: by a person, or by a limit: a budget that is used up
// (on_spent: pause), or a usage limit (on_usage_limit: pause). It stays as it is
// until a person goes on with the plan.

// byLimit: a loop that rests for this was paused by a limit.
func byLimit(why loop.Reason) bool { return why == loop.Budget || why == loop.ForLimit }

// paused: the loop under way does not get on, and asks nobody: it goes on with the
// plan. The task keeps its place among those at work: what is short for one is
// mostly short for the next, which would begin only to be paused too.
func (t *TaskState) paused() bool {
	return t.Now() != "" && t.Rests != "" && t.Rests != loop.ForHuman && t.Rests != ForPerson
}

// limited are the loops that limits have paused, by what each says of it: several
// often say the same of one limit.
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

// behind is what to say of them after something else.
func (l limited) behind() string {
	if !l.any() {
		return ""
	}
	return "; " + l.words()
}
