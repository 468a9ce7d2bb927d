package project

import (
	"context"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/engine"
	"ralph/internal/engine/team"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
)

// Options are for tests of the whole program, and for programs that link more.
type Options struct {
	// Fault is called at each point at which a crash must be survived.
	Fault func(point string)
	// Grace replaces the time between asking a process to end and ending it.
	Grace time.Duration
	// Engines connect to the servers of teams, by the scheme of their addresses. They
	// are linked into ralph-worker only.
	Engines map[string]Dialer
	// Buckets opens the object store at an address for the files of a team, encrypted with
	// the key; nil is none.
	Buckets func(address string, key []byte) (team.Objects, error)
	// Clock tells the time; nil is the clock of the machine.
	Clock func() time.Time
}

// TeamVariable has the address of a team's engine where --engine is not given.
const TeamVariable = "RALPH_ENGINE"

// CodecVariable has the path of the file with the key that encrypts what a team's server
// stores.
const CodecVariable = "RALPH_CODEC_KEY"

// Opener opens projects: the terminal, and what a project is wired with.
type Opener struct {
	command.Terminal
	Options
	// Sandboxes are those that this machine offers.
	Sandboxes *sandbox.Capabilities
	// TeamAddress is where the loops are that the command is about; nil is this machine. IsWorker:
	// this process is a worker of the team.
	TeamAddress *Address
	IsWorker    bool
	// Leaves: the command starts or resumes a loop of the team without following it.
	Leaves bool
	// Silence is how long a worker may be silent before others take its loops; 0 is the
	// server's own number.
	Silence time.Duration
	// CodecKey is the path of the file with the key that encrypts what the server stores;
	// "" is the one of the environment or of the user's settings.
	CodecKey string
	// About is the loop or plan that the command turned out to be about: hints
	// call it ID.
	About string

	// Unlisted keeps the project out of the lists of the user's repositories.
	Unlisted bool

	// Guard refuses projects that the caller may not open; nil refuses none.
	Guard func(*Project) error
	// Restrict limits what the caller may do to the loops of a project; nil limits nothing.
	Restrict func(Loops) Loops
	// ControlSocket opens the control socket of a loop's agent; nil: there is none.
	ControlSocket func(*Opener, *Project) func(context.Context, loop.State) (worker.ControlSocket, error)
	// DrivenSandbox, DrivenWrite and DrivenAsked sandbox the gates of agent-driven loops
	// where the caller is in a sandbox itself.
	DrivenSandbox loop.Sandbox
	DrivenWrite   []string
	DrivenAsked   bool
	// OnReport is called with each loop that a command reports on; only ralph mcp sets it.
	OnReport func(engine.Loop)
}

// guard refuses a project that the caller may not open.
func (a *Opener) guard(p *Project) error {
	if a.Guard == nil {
		return nil
	}
	return a.Guard(p)
}

// Reported passes a loop that a command reports on to OnReport.
func (a *Opener) Reported(l engine.Loop) {
	if a.OnReport != nil {
		a.OnReport(l)
	}
}
