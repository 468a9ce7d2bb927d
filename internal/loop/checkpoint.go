package loop

import (
	"fmt"
	"time"
)

// Checkpoint is a loop at some time: its state, and a commit of the tree its
// agent worked in.
type Checkpoint struct {
	// N counts the loop's checkpoints from 1. A number may be missing.
	N  int
	At time.Time
	// Seq is the newest event then.
	Seq    int64
	Commit string
	State  State
}

// Artifact is a file that a loop offers to others, as it was when it did. It is
// read-only until another loop takes it (seed 001).
type Artifact struct {
	// N names it in the repository.
	N    int64
	Loop string
	// Path is where the file stood, relative to the root of the loop's tree.
	Path   string
	SHA256 string
	Bytes  int64
	Note   string
	At     time.Time
}

// MaxArtifact is how large a published file may be, in bytes.
const MaxArtifact = 64 << 20

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

// apply restores the work of a checkpoint as a new commit on top. An attempt
// that was not judged begins anew under its number; earlier verdicts stay, and
// no counter is reset.
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
		a.Results, a.Passes, a.Proof = nil, 0, nil
		a.Interruptions++
	}
	if s.Step == StepCommit || s.Step == StepGates || s.Step == StepProof {
		s.Step = StepAgent
	}
	return ""
}
