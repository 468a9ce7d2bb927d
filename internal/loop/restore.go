package loop

import "fmt"

// Restored: the work was put back to a checkpoint, as a new commit; Kept is
// the branch that has what was there.
type Restored struct {
	Stamp
	Checkpoint int    `json:"checkpoint"`
	Commit     string `json:"commit"`
	Kept       string `json:"kept,omitempty"`
}

func (Restored) Name() string { return "restored" }

// Describe names the checkpoint and the commit.
func (e Restored) Describe() string {
	return because(fmt.Sprintf("checkpoint %d as %.7s", e.Checkpoint, e.Commit), e.Kept)
}

// apply puts the work back to what a checkpoint holds; it stands in a new
// commit on top. An attempt that was not judged begins anew under its number;
// what was judged stays judged, and no counter is set back.
func (e Restored) apply(s *State) string {
	switch {
	case s.Mode == AgentDriven || s.InPlace:
		return "the tree is not ralph's to put back"
	case s.Ending != nil:
		return "the loop is ending"
	case s.Began:
		return "an agent is at work"
	case s.Worktree == "":
		return "there is no work to put back"
	case e.Commit == "":
		return "it does not say what the work is now"
	}
	s.Commit, s.Differs, s.Retries = e.Commit, true, 0
	if a := s.Last(); a != nil && a.Verdict == "" {
		a.Commit, a.Tree, a.Changed, a.Files = "", "", false, nil
		a.Results, a.Passes = nil, 0
		a.Interruptions++
	}
	if s.Step == StepCommit || s.Step == StepGates {
		s.Step = StepAgent
	}
	return ""
}
