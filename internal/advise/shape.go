package advise

import "ralph/internal/plan"

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

// mostTurns is up to how many loops Turns are told.
const mostTurns = Hierarchy

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
