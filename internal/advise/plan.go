package advise

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// plan decides how many loops work on a plan.
func (a *Advice) plan(left *plan.Graph) {
	s := a.Plan
	a.First = left.Ready()
	if s.Open == 1 {
		a.one("One loop: one task is left.")
		return
	}
	a.width()
	n := a.useful()
	if *s.Width > 1 {
		a.completion()
		a.toolCalls()
		a.overhead(n)
		a.limit()
		a.errors()
	}
	switch {
	case a.against():
		a.one("One loop, task after task.")
	case *s.Width >= hierarchy:
		a.hierarchy(left)
	case n == 1:
		a.one("One loop, task after task: limits.max_loops allows no other.")
	default:
		a.Recommendation, a.Loops = Loops, n
		a.Summary = fmt.Sprintf("%d loops at once: %s instead of %d.", n, text.Plural(s.Turns[n-1], "turn"), s.Turns[0])
		a.crowd(n)
		a.paths(n)
	}
	a.First = a.First[:min(len(a.First), max(a.Loops, a.together()))]
}

// together is how many loops of all groups run at once.
func (a *Advice) together() int { return min(len(a.Groups)*a.Loops, a.most()) }

func (a *Advice) one(summary string) {
	a.Recommendation, a.Loops, a.Summary = OneLoop, 1, summary
	a.First = a.First[:1]
	a.crowd(1)
}

// useful is the smallest number of loops that is as fast as any that is allowed.
func (a *Advice) useful() int {
	n := 1
	for k := 2; k <= min(a.most(), len(a.Plan.Turns)); k++ {
		if a.Plan.Turns[k-1] < a.Plan.Turns[n-1] {
			n = k
		}
	}
	return n
}

// most is how many loops at once may be advised.
func (a *Advice) most() int {
	most := mostLoops
	if a.History.Completion == nil {
		most = firstLoops
	}
	if a.MaxLoops > 0 {
		most = min(most, a.MaxLoops)
	}
	return most
}

// width weighs how much of the plan can be done at once.
func (a *Advice) width() {
	s := a.Plan
	r := Reason{Code: "width", Favors: ForMany, Value: new(float64(*s.Width)), Limit: new(1.0), Unit: new(tasks), From: "this plan", Rule: fromTax}
	r.Text = fmt.Sprintf("%d of %d open tasks can run at once (%s); the longest chain has %d",
		*s.Width, s.Open, some(s.Widest), *s.Levels)
	if *s.Width == 1 {
		r.Favors = ForOne
		r.Text = fmt.Sprintf("each of the %d open tasks waits for the one before; on such work many loops do %d–%d %% worse",
			s.Open, leastLoss, mostLoss)
		if s.Stated == 0 {
			r.Text += ". The order is only that of the file"
			a.Assumed = append(a.Assumed, fmt.Sprintf("the order of the tasks in a file of the format %s is meant", s.Format))
		}
	}
	a.add(r)
}

// limit names what bounds the number.
func (a *Advice) limit() {
	r := Reason{Code: "limit", Favors: Note, Value: new(float64(a.most())), Unit: new("loops")}
	switch most := a.most(); {
	case a.MaxLoops == most && most < mostLoops:
		r.Text, r.From = fmt.Sprintf("at most %s at once are allowed here", text.Plural(most, "loop")), "limits.max_loops"
	case most == firstLoops:
		r.Text, r.From = fmt.Sprintf("start with %d at most, and with more when there is experience", most), fromGuide
	default:
		r.Text, r.From = fmt.Sprintf("beyond %d loops at once there is no further gain", most), fromTax
	}
	a.add(r)
}

// paths counts those that run already, too.
func (a *Advice) paths(n int) {
	if more := len(a.Active); more > 0 && a.Plan != nil {
		a.add(Reason{
			Code: "running", Favors: Note, Value: new(float64(more)), Unit: new("loops"), From: "running now",
			Text: fmt.Sprintf("%s more run here already; together %s", text.Plural(more, "loop"), loop.Coordination(n+more)),
		})
	}
	a.add(Reason{
		Code: "paths", Favors: Note, Value: new(float64(loop.Paths(n))), Unit: new("paths"), From: fromGuide,
		Text: loop.Coordination(n),
	})
}

// some names up to four ids.
func some(ids []string) string {
	const most = 4
	if len(ids) > most {
		return strings.Join(ids[:most], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// hierarchy splits the plan into groups of at most GroupSize chains, as equal as
// can be. Tasks of a chain wait for each other, so a group has work for at most
// as many loops as it has chains.
func (a *Advice) hierarchy(left *plan.Graph) {
	size := min(groupSize, a.most())
	chains := left.Cover()
	paths := 0
	for n := (len(chains) + groupSize - 1) / groupSize; n > 0; n-- {
		take := (len(chains) + n - 1) / n
		a.Groups = append(a.Groups, slices.Concat(chains[:take]...))
		chains = chains[take:]
		paths += loop.Paths(min(take, size))
	}
	paths += loop.Paths(len(a.Groups))
	a.Recommendation, a.Loops = Hierarchical, size
	a.Summary = fmt.Sprintf("%d groups with a parent of their own, each with at most %s at once.", len(a.Groups), text.Plural(size, "loop"))
	a.Paths, a.Band = paths, loop.BandOf(*a.Plan.Width).Range()
	a.add(Reason{
		Code: "paths", Favors: Note, Value: new(float64(paths)), Unit: new("paths"), From: fromGuide,
		Text: fmt.Sprintf("%d loops side by side make %d communication paths; %d groups of at most %d make %d",
			*a.Plan.Width, loop.Paths(*a.Plan.Width), len(a.Groups), size, paths),
	})
	a.add(Reason{
		Code: "group", Favors: Note, Value: new(float64(groupSize)), Unit: new("loops"), From: fromSeed0,
		Text: fmt.Sprintf("an orchestration has at most %d loops; %s run at once in this repository", groupSize, text.Plural(a.MaxLoops, "loop")),
	})
}

// Shape is the form of a plan. What is about work that is left is null when
// nothing is.
type Shape struct {
	File   string `json:"file"`
	Format string `json:"format"`
	Title  string `json:"title"`
	Tasks  int    `json:"tasks"`
	Open   int    `json:"open"`

	// Width is how many open tasks can run at once at most; Widest names them.
	Width  *int     `json:"width"`
	Widest []string `json:"widest"`
	// Levels is the number of turns with as many loops as there is use for:
	// that of tasks in Longest, the longest chain.
	Levels  *int     `json:"levels"`
	Longest []string `json:"longest"`
	// Sequential is the share of the longest chain in the open tasks.
	Sequential *float64 `json:"sequential_share"`
	// Chains are runs of tasks that only one loop at a time can do.
	Chains [][]string `json:"chains"`
	// Turns with 1, 2, 3, … loops, one task each a turn.
	Turns []int `json:"turns"`
	// Stated dependencies stand in the file; the others are its order.
	Stated  int `json:"stated_dependencies"`
	Ordered int `json:"order_dependencies"`
}

func shapeOf(q Question, g *plan.Graph) *Shape {
	return &Shape{
		File: q.File, Format: q.Format, Title: q.Plan.Title, Tasks: g.Len(), Open: len(q.Plan.Open().Tasks),
		Widest: []string{}, Longest: []string{}, Chains: [][]string{}, Turns: []int{},
	}
}

// mostTurns is the number of loops up to which Turns are computed.
const mostTurns = hierarchy

func (s *Shape) measure(left *plan.Graph) {
	s.Widest, s.Longest, s.Chains = left.Widest(), left.Longest(), left.Chains()
	width, levels := len(s.Widest), len(s.Longest)
	s.Width, s.Levels = &width, &levels
	s.Sequential = new(float64(levels) / float64(s.Open))
	for k := 1; k <= min(width, mostTurns); k++ {
		s.Turns = append(s.Turns, left.Turns(k))
	}
	why := left.Because()
	s.Stated, s.Ordered = why[plan.Stated], why[plan.Order]+why[plan.Priority]
}
