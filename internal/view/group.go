package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Group is where a run stands in every list, in the order of urgency. Lists, screens,
// reports and JSON take it from here.
type Group int

// The groups. What needs a person stands still until a user decides or deals with it:
// questions, crashed runs, and what ended short of its goal and was neither retried nor
// archived. What is ready passed and waits to be accepted.
const (
	GroupNeedsYou Group = iota
	GroupReady
	GroupRunning
	GroupWaiting
	GroupEnded
)

// Title is the heading of the group.
func (g Group) Title() string {
	return [...]string{"NEEDS YOU", "READY TO ACCEPT", "RUNNING", "WAITING", "ENDED"}[g]
}

// groupNames are those of JSON, in the order of the groups.
var groupNames = [...]string{"needs_you", "ready", "running", "waiting", "ended"}

// MarshalText writes the group as its name in JSON.
func (g Group) MarshalText() ([]byte, error) { return []byte(groupNames[g]), nil }

// UnmarshalText reads what MarshalText wrote.
func (g *Group) UnmarshalText(name []byte) error {
	i := slices.Index(groupNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("unknown group %q", name)
	}
	*g = Group(i)
	return nil
}

// open is the group of a run that has not ended. asks: a person is to decide something.
func open(st loop.Status, live, asks bool) Group {
	switch {
	case asks, st == Crashed:
		return GroupNeedsYou
	case st == loop.Running, st == loop.Pending && live:
		return GroupRunning
	}
	return GroupWaiting
}

// over is the group of a run that has ended.
func over(archived, undecided, acceptable bool) Group {
	switch {
	case archived:
		return GroupEnded
	case undecided:
		return GroupNeedsYou
	case acceptable:
		return GroupReady
	}
	return GroupEnded
}

// group is where the loop stands.
func (i Item) group() Group {
	s := i.State
	if s.Status.Terminal() {
		return over(i.Facts.Archived, s.Undecided(), s.Acceptable())
	}
	st := Status(s, i.Facts)
	// An agent that asked may work on until its turn ends.
	asks := s.Open() != nil && st == loop.Running || st == loop.Paused && s.Stopped() || st == loop.Waiting && s.Reason.NeedsPerson() ||
		orphaned(s, i.Facts) || ownerless(s, i.Facts) || s.Reason == loop.ForMove
	return open(st, i.Facts.Live, asks)
}

// group is where the plan stands. Questions and failures of its tasks are the plan's.
func (i PlanItem) group() Group {
	s := i.State
	if s.Status.Terminal() {
		return over(i.Facts.Archived, s.Undecided(), s.Acceptable())
	}
	own := s.OpenQuestion() != nil || s.Reason == loop.ForMove || s.Status == loop.Paused && s.Reason == loop.Budget
	failed := s.Undecided() && i.status() != loop.Running // else the others run on, and nothing is to be decided yet
	asking := func(t plan.TaskState) bool { return t.Status != plan.Failed && i.asks(t) }
	asks := own || failed || slices.ContainsFunc(s.Tasks, asking) || s.Status == loop.Waiting && s.Reason.NeedsPerson()
	return open(i.status(), i.Facts.Live, asks)
}

// byUrgency is the one order of every list: by group, what has not ended before what
// has, the longest waiting first, the newest ended first.
func byUrgency(a, b Run) int {
	when, ended := 0, [2]int{}
	for n, r := range []Run{a, b} {
		if r.Status.Terminal() {
			ended[n] = 1
		}
	}
	switch ended {
	case [2]int{0, 0}:
		when = a.StartedAt.Compare(b.StartedAt)
	case [2]int{1, 1}:
		when = b.EndedAt.Compare(a.EndedAt)
	}
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(ended[0], ended[1]), when, strings.Compare(a.ID, b.ID))
}

func inGroup(runs []Run, g Group) (out []Run) {
	for _, r := range runs {
		if r.Group == g {
			out = append(out, r)
		}
	}
	return out
}

// Section is a group of a list.
type Section struct {
	Group Group
	Title string
	// NeedsYou: these runs stand still until a person does something.
	NeedsYou bool
	Runs     []Run
	// Count is how many they are; the loops of a plan that follow it are not counted.
	Count int
}

// Sections are the groups of every list, the most urgent first, each in the one
// order of all lists. The loops of a plan follow it, without those that a later loop has
// replaced. Empty groups are left out.
func Sections(runs []Run) []Section {
	top, within := apart(runs)
	slices.SortStableFunc(top, byUrgency)
	var out []Section
	for g := GroupNeedsYou; g <= GroupEnded; g++ {
		in := inGroup(top, g)
		if len(in) == 0 {
			continue
		}
		s := Section{Group: g, Title: g.Title(), NeedsYou: g == GroupNeedsYou, Count: len(in)}
		for _, r := range in {
			parts := slices.DeleteFunc(within[r.ID], func(part Run) bool { return !r.lists(part) })
			slices.SortStableFunc(parts, byUrgency)
			s.Runs = append(append(s.Runs, r), parts...)
		}
		out = append(out, s)
	}
	return out
}

// lists reports whether a part of a plan stands below it: what has not ended, and what stands
// for one of its tasks now. Below a plan that needs a person, what passed is left out.
func (r Run) lists(part Run) bool {
	if part.Plan || !part.Status.Terminal() {
		return true
	}
	return slices.Contains(r.Parts, part.ID) && (r.Group != GroupNeedsYou || part.Status != loop.StatusPassed)
}

// apart separates the loops of plans that are among the runs, by plan, from the rest.
func apart(runs []Run) (top []Run, within map[string][]Run) {
	plans := map[string]bool{}
	for _, r := range runs {
		if r.Plan {
			plans[r.ID] = true
		}
	}
	within = map[string][]Run{}
	for _, r := range runs {
		if plans[r.Of] {
			within[r.Of] = append(within[r.Of], r)
		} else {
			top = append(top, r)
		}
	}
	return top, within
}

// Counts of runs: plans and loops that belong to none.
type Counts struct {
	// The groups: each run is in one of them.
	NeedsYou int `json:"needs_you"`
	Ready    int `json:"ready"`
	Running  int `json:"running"`
	Waiting  int `json:"waiting"`
	Ended    int `json:"ended"`
	// Undecided are those that need a person and have ended.
	Undecided int `json:"unsettled"`
	// Some of them by their status.
	Paused  int `json:"paused"`
	Crashed int `json:"crashed"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Aborted int `json:"aborted"`
	// AtWork are the loops that run now, whatever the group of their plan.
	AtWork int `json:"at_work"`
}

// CountsOf counts runs by where they stand. The loops and the parts of a plan among them
// are counted with it, except that each loop that runs is one at work.
func CountsOf(runs []Run) Counts {
	var c Counts
	for _, r := range runs {
		if !r.Plan && r.Status == loop.Running {
			c.AtWork++
		}
	}
	top, _ := apart(runs)
	for _, r := range top {
		*c.of(r.Group)++
		if r.Group == GroupNeedsYou && r.Status.Terminal() {
			c.Undecided++
		}
		if n := c.with(r.Status); n != nil && r.marked != loop.Left {
			*n++
		}
	}
	return c
}

func (c *Counts) of(g Group) *int {
	return [...]*int{&c.NeedsYou, &c.Ready, &c.Running, &c.Waiting, &c.Ended}[g]
}

func (c *Counts) with(st loop.Status) *int {
	return map[loop.Status]*int{
		loop.Paused: &c.Paused, Crashed: &c.Crashed, loop.StatusPassed: &c.Passed, loop.StatusFailed: &c.Failed, loop.Aborted: &c.Aborted,
	}[st]
}

// count is a number with its word; many is the word for more than one.
type count struct {
	n         int
	one, many string
}

// counted joins the counts that are not zero.
func counted(all []count) string {
	var parts []string
	for _, c := range all {
		switch {
		case c.n == 1 || c.n > 1 && c.many == "":
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.one))
		case c.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.many))
		}
	}
	return strings.Join(parts, ", ")
}
