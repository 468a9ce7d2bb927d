package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/scope"
)

// Do names what is to be done for a plan. The set is closed.
type Do string

// The actions. Start only chooses a task: its loop is run by DoRun, which is
// asked for until the loop has stopped.
const (
	DoStart      Do = "start"
	DoRun        Do = "run"
	DoReview     Do = "review"
	DoLand       Do = "land"
	DoAsk        Do = "ask"
	DoProve      Do = "prove"
	DoReviewPlan Do = "review_plan"
	DoRest       Do = "rest"
)

// Action is one thing to do now. Those of one answer may go on side by side.
type Action struct {
	Do Do
	// Key is the same each time this very action is asked for.
	Key  string
	Task string
	Loop string
	// Plans: the loop to start writes how the task is to be done.
	Plans bool
	// Most attempts that the loop to start may have.
	Most int
	// Rest is what to say of a run in which nothing goes on.
	Rest Rested
}

// Next says what may go on now. It depends on its arguments alone, so that after
// a crash the same is asked for again. touched are the files that the loop of a
// running task has changed so far, besides those that the task declares.
func Next(g *Graph, s State, touched map[string][]string) []Action {
	if s.Status.Terminal() || s.Status == loop.Pending {
		return nil
	}
	c := &chooser{g: g, s: &s, touched: touched, at: map[string]*TaskState{}}
	for i := range s.Tasks {
		c.at[s.Tasks[i].ID] = &s.Tasks[i]
	}
	c.underWay()
	if s.Stage == Working && !s.PauseAsked && s.Status != loop.Paused {
		c.questions()
		c.start()
	}
	c.closing()
	if len(c.out) == 0 {
		c.rest()
	}
	return c.out
}

type chooser struct {
	g       *Graph
	s       *State
	touched map[string][]string
	at      map[string]*TaskState
	out     []Action
	// busy loops count against the limit.
	busy int
}

func (c *chooser) add(do Do, t *TaskState, key string) *Action {
	a := Action{Do: do, Key: string(do) + "/" + key}
	if t != nil {
		a.Task, a.Loop = t.ID, t.Loop
	}
	c.out = append(c.out, a)
	return &c.out[len(c.out)-1]
}

// underWay is what has begun: loops, reviews, and the landing whose turn it is.
func (c *chooser) underWay() {
	var landing *TaskState
	for i := range c.s.Tasks {
		switch t := &c.s.Tasks[i]; t.Status {
		case Running, Approving:
			if t.Rests == "" {
				c.busy++
				c.add(DoRun, t, fmt.Sprintf("%s/%d", t.Loop, t.Turns))
			}
		case Reviewed:
			c.add(DoReview, t, t.Loop)
		case Landing:
			if landing == nil || t.Onto != "" || landing.Onto == "" && t.Queue < landing.Queue {
				landing = t
			}
		}
	}
	if landing != nil {
		c.add(DoLand, landing, landing.ID+"/"+landing.Commit+"/"+landing.Repair)
	}
}

// questions puts failures to a person.
func (c *chooser) questions() {
	if c.s.Rules.OnFailure != Ask {
		return
	}
	for i := range c.s.Tasks {
		if t := &c.s.Tasks[i]; t.Status == Failed && !t.Gone && !c.s.asked(t) {
			c.add(DoAsk, t, t.ID)
		}
	}
}

// start chooses among the tasks that are ready, in the order of the design: the
// lower phase, then the lower priority, then fewer attempts, then the file.
func (c *chooser) start() {
	if c.s.Rules.OnFailure == Stop && c.failed("") || c.failed(loop.Budget) {
		return
	}
	left := c.s.Left()
	for _, t := range c.ready() {
		if c.busy >= c.s.Rules.Parallel || left < 1 {
			return
		}
		if c.meets(t) {
			continue
		}
		a := c.add(DoStart, t, fmt.Sprintf("%s/%d", t.ID, t.Tries))
		a.Most = min(left, c.s.most())
		if a.Plans = c.s.Rules.Approve && !t.Agreed; a.Plans {
			a.Most = min(left, mostPlanning)
		}
		left -= a.Most
		c.busy++
		c.touched = with(c.touched, t.ID)
	}
}

func with(m map[string][]string, id string) map[string][]string {
	out := make(map[string][]string, len(m)+1)
	maps.Copy(out, m)
	if _, ok := out[id]; !ok {
		out[id] = nil
	}
	return out
}

// failed says whether a task has, for a reason; empty is any.
func (c *chooser) failed(reason loop.Reason) bool {
	return slices.ContainsFunc(c.s.Tasks, func(t TaskState) bool {
		return t.Status == Failed && !t.Gone && (reason == "" || t.Reason == reason)
	})
}

func (c *chooser) ready() []*TaskState {
	var ready []int
	wanted := c.wanted()
	for i, t := range c.g.tasks {
		at := c.at[t.ID]
		if at == nil || at.Status != Pending || at.Gone || at.Claimed || wanted != nil && !wanted[i] || c.g.held(i, c.at) != "" {
			continue
		}
		ready = append(ready, i)
	}
	slices.SortStableFunc(ready, func(i, j int) int {
		a, b := c.g.tasks[i], c.g.tasks[j]
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Priority, b.Priority),
			cmp.Compare(c.at[a.ID].Attempts, c.at[b.ID].Attempts))
	})
	out := make([]*TaskState, len(ready))
	for i, n := range ready {
		out[i] = c.at[c.g.tasks[n].ID]
	}
	return out
}

// wanted are the tasks of Rules.Only and all they need; nil is every task.
func (c *chooser) wanted() []bool {
	if len(c.s.Rules.Only) == 0 {
		return nil
	}
	wanted := make([]bool, len(c.g.tasks))
	for _, i := range slices.Backward(c.g.order) {
		if slices.Contains(c.s.Rules.Only, c.g.tasks[i].ID) {
			wanted[i] = true
		}
		if wanted[i] {
			for _, n := range c.g.needs[i] {
				wanted[n] = true
			}
		}
	}
	return wanted
}

// meets says whether a task would come into the way of one at work: both change
// the same files. It waits then; conflicts are cheaper not to have.
func (c *chooser) meets(t *TaskState) bool {
	mine := c.files(t.ID)
	if len(mine) == 0 {
		return false
	}
	for id := range c.touched {
		if id != t.ID && len(scope.Overlaps(mine, slices.Concat(c.files(id), c.touched[id]))) > 0 {
			return true
		}
	}
	for i := range c.s.Tasks {
		o := &c.s.Tasks[i]
		if o.ID != t.ID && (o.Status == Running || o.Status == Landing || o.Status == Reviewed) && len(scope.Overlaps(mine, c.files(o.ID))) > 0 {
			return true
		}
	}
	return false
}

func (c *chooser) files(id string) []string {
	if i, ok := c.g.index[id]; ok {
		return c.g.tasks[i].Files
	}
	return nil
}

// held names a task that keeps the one with number i from beginning; empty is
// none. Needs that are not to be done hold nobody up.
func (g *Graph) held(i int, at map[string]*TaskState) string {
	for _, n := range g.needs[i] {
		t := at[g.tasks[n].ID]
		if t == nil || t.Status != Done && t.Status != Skipped {
			return g.tasks[n].ID
		}
	}
	return ""
}

// closing proves the whole, then has it reviewed.
func (c *chooser) closing() {
	switch {
	case c.s.PauseAsked || len(c.out) > 0:
	case c.s.Stage == Proving:
		c.add(DoProve, nil, fmt.Sprintf("%s/%s/%d", c.s.Tip, c.s.Final, c.s.FinalTries))
	case c.s.Stage == Reviewing && c.s.OpenQuestion() == nil:
		c.add(DoReviewPlan, nil, c.s.Tip)
	}
}

// rest says why nothing goes on.
func (c *chooser) rest() {
	a := c.add(DoRest, nil, "")
	a.Rest = c.why()
}

func (c *chooser) why() Rested {
	n := c.count()
	switch {
	case c.s.PauseAsked || n.paused > 0 && n.human == 0:
		return Rested{Status: loop.Paused, Message: "paused on request"}
	case n.human > 0 || c.s.OpenQuestion() != nil:
		return Rested{Status: loop.Waiting, Reason: loop.ForHuman, Message: amount(n.human+n.asked, "1 question waits for a person", "%d questions wait for a person")}
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
	names                                                  []string
}

func (c *chooser) count() counts {
	n := counts{all: len(c.s.Tasks), ready: len(c.ready())}
	for _, q := range c.s.Questions {
		if !q.Answered {
			n.asked++
		}
	}
	wanted := c.wanted()
	for i, t := range c.g.tasks {
		at := c.at[t.ID]
		if at == nil || at.Gone {
			continue
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
		case Approving:
			if at.Rests == loop.ForHuman {
				n.human++
			} else if at.Rests != ForApproval {
				n.paused++
			}
		case Running:
			if at.Rests == loop.ForHuman {
				n.human++
			} else {
				n.paused++
			}
		}
	}
	return n
}
