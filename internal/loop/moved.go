package loop

// Moved: another machine continues the loop. What was not committed stays behind.
type Moved struct {
	Stamp
	// Root is the repository there.
	Root string `json:"root"`
	// Worktree and GateTree are the trees there; both are empty where the loop was not
	// prepared yet.
	Worktree string `json:"worktree,omitempty"`
	GateTree string `json:"gate_tree,omitempty"`
}

func (Moved) Name() string { return "moved" }

// Describe returns the repository of the other machine.
func (e Moved) Describe() string { return e.Root }

// Local marks it as a journal.Local.
func (Moved) Local() {}

// apply replaces the paths of the machine before. The step under way has been
// interrupted.
func (e Moved) apply(s *State) string {
	switch {
	case s.Mode == AgentDriven || s.InPlace:
		return "its tree is a person's own"
	case s.Began:
		return "an agent is at work"
	case e.Root == "":
		return "the repository is missing"
	case (e.Worktree == "") != (s.Worktree == "") || (e.GateTree == "") != (s.GateTree == ""):
		return "its trees are missing, or there were none"
	}
	s.Root, s.Worktree, s.GateTree = e.Root, e.Worktree, e.GateTree
	return ""
}
