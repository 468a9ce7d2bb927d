package gate

import (
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Request is one evaluation.
type Request struct {
	Gate loop.Gate
	// Tree is the absolute root of the tree that is judged, Commit what is
	// checked out there, Where "gate" or "agent".
	Tree, Commit, Where string

	// RunDir and Run identify the child process (proc.Spec); LogFile gets its
	// output.
	RunDir, Run, LogFile string
	// Env is the whole environment, already reduced to what a gate may see.
	// The gate's own variables are added here.
	Env []string

	// Inside is the sandbox that the command runs in; nil is none. Held is what
	// it is called in the evidence.
	Sandbox *proc.Sandbox
	Held    loop.Holder

	// Base says that the tree is the base itself: what is measured there
	// becomes the baseline. Else a gate with a baseline needs Baseline, the
	// result that it had on the base. A gate that named its tests there must
	// name them here too.
	Base     bool
	Baseline *loop.Result
	// Digests of the images as the last evaluation left them (ReadDigests);
	// nil takes those of Baseline.
	Digests map[string]string

	// Scope is what the task declares as its own, for a gate that counts only
	// these files.
	Scope []string

	// Soft and Hard shorten the gate's own deadlines where the loop has less
	// time left; zero leaves them.
	Soft, Hard time.Duration
	OnSoft     func()
	// Kill, when closed, ends the command at once; Grace passes between the
	// polite and the forced end of a command that is stopped.
	Kill  <-chan struct{}
	Grace time.Duration
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// deadline is the gate's own, shortened.
func (r Request) deadline() loop.Deadline {
	d := r.Gate.Timeout
	if r.Hard > 0 && (d.Hard == 0 || r.Hard < d.Hard) {
		d.Hard = r.Hard
	}
	if r.Soft > 0 && (d.Soft == 0 || r.Soft < d.Soft) {
		d.Soft = r.Soft
	}
	return d
}

func (r Request) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}
