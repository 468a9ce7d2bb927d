package loop

import (
	"fmt"
	"slices"
)

// A Clash is what kept ralph accept from merging work: the user's branch changes files
// of it differently, or a gate does not pass on the merge. It holds for this commit of the
// work.
type Clash struct {
	// Branch is the user's, Onto its commit. Work is the commit that was to be merged.
	Branch string `json:"branch"`
	Onto   string `json:"onto"`
	Work   string `json:"work"`
	// Files are the first of those that conflict; More counts the others.
	Files []string `json:"files"`
	More  int      `json:"more,omitempty"`
	// Gate is the first hard gate that does not pass on the merge, and Why its finding;
	// empty where the merge itself conflicts.
	Gate string `json:"gate,omitempty"`
	Why  string `json:"why,omitempty"`
}

// A clash names this many files at most, of at most so many bytes.
const (
	mostClashing = 10
	clashBytes   = 300
)

// NewClash describes the conflicts of a work with a branch at the commit onto.
func NewClash(branch, onto, work string, files []string) Clash {
	c := Clash{Branch: branch, Onto: onto, Work: work, Files: []string{}}
	for _, f := range files {
		if len(c.Files) == mostClashing || jsonBytes(f) > clashBytes {
			c.More++
			continue
		}
		c.Files = append(c.Files, f)
	}
	return c
}

// RedClash describes a merge, of a work with a branch at the commit onto, that a gate
// does not pass.
func RedClash(branch, onto, work, gate, why string) Clash {
	return Clash{Branch: branch, Onto: onto, Work: work, Files: []string{}, Gate: gate, Why: cutText(why, clashBytes)}
}

// String names the branch, and the files or the gate.
func (c Clash) String() string {
	if c.Gate != "" {
		return because("a red gate on the merge with "+c.Branch+", "+c.Gate, c.Why)
	}
	files := listed(c.Files)
	switch {
	case len(c.Files) == 0 && c.More == 1:
		files = "1 file"
	case len(c.Files) == 0:
		files = fmt.Sprintf("%d files", c.More)
	case c.More > 0:
		files += fmt.Sprintf(" and %d more", c.More)
	}
	return fmt.Sprintf("conflicts with %s in %s", c.Branch, files)
}

func (c Clash) clone() Clash {
	c.Files = slices.Clone(c.Files)
	return c
}

// Same reports whether it is the conflict of the same two commits.
func (c Clash) Same(d *Clash) bool { return d != nil && c.Onto == d.Onto && c.Work == d.Work }

// Conflicted: the work of a loop that passed could not be merged, and nothing was.
type Conflicted struct {
	Stamp
	Clash
}

func (Conflicted) Name() string { return "conflicted" }

// Describe names the branch, and the files or the gate.
func (e Conflicted) Describe() string { return e.String() }

func (Conflicted) afterEnd() {}

func (e Conflicted) apply(s *State) string {
	switch {
	case s.Status != StatusPassed || s.Commit == "" || s.Mode == AgentDriven:
		return "there is nothing to accept"
	case e.Branch == "" || e.Work != s.Commit:
		return "the conflict is about other work"
	}
	s.Clash = new(e.clone())
	return ""
}

// Conflict returns the conflict that the work met when it was to be accepted; nil where
// there was none, or where it is of no consequence any more.
func (s *State) Conflict() *Clash {
	if s.Clash == nil || s.Clash.Work != s.Commit || !s.Acceptable() {
		return nil
	}
	return s.Clash
}
