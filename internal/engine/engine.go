package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/rescue"
)

// Engine runs loops and tells about them. It is what every face asks.
type Engine interface {
	// Start records a new loop and drives it until it stops by itself: it has
	// ended, is paused, or waits for a person.
	Start(ctx context.Context, spec loop.Spec, o StartOptions, d Drive) (loop.State, error)
	// Resume takes a loop that nobody runs and drives it on.
	Resume(ctx context.Context, id string, o ResumeOptions, d Drive) (loop.State, error)
	// Init records a loop that its agent drives: nobody runs it between two
	// checks, and its time goes on from here.
	Init(ctx context.Context, spec loop.Spec, o StartOptions) (Loop, error)
	// Check evaluates the gates of such a loop once, in the repository's tree
	// that holds dir ("" is the caller's), and records what they said. A loop
	// that has ended, waits or is paused is answered as it is.
	Check(ctx context.Context, id, dir string) (Loop, error)
	// Settle records the ends that are due on loops that agents drive.
	Settle(ctx context.Context) error
	// Send hands a command to a loop. Where nobody runs the loop it is carried
	// out at once, as far as it needs no agent and no gate.
	Send(ctx context.Context, id string, c Command) (loop.State, error)

	// Find resolves an id or a unique prefix of one.
	Find(ctx context.Context, idOrPrefix string) (string, error)
	Show(ctx context.Context, id string) (Loop, error)
	// List tells about loops, newest first.
	List(ctx context.Context, f Filter) ([]Loop, error)
	// Marks are the loops of a list, in its order, without their states: who
	// looks again and again asks for these, and then only for what moved.
	Marks(ctx context.Context, f Filter) ([]Mark, error)
	// Events are those after a sequence number, oldest first.
	Events(ctx context.Context, id string, after int64) ([]Record, error)
	// Checkpoints of a loop, oldest first.
	Checkpoints(ctx context.Context, id string) ([]loop.Checkpoint, error)
	// Accept brings a passed loop to the branch that is checked out.
	Accept(ctx context.Context, id string) (Accepted, error)
	// Bring makes a passed loop's work stand on top of another commit, and judges
	// the result. The work is commit: the loop's own, or one of the same content
	// with another history. No ref moves.
	Bring(ctx context.Context, id, commit, onto string) (Brought, error)
	// Judge runs the hard gates of a loop that has ended on another commit.
	Judge(ctx context.Context, id, commit string) ([]loop.Result, error)
	// Archive takes an ended loop out of sight; Clean removes what nobody
	// needs any more and says what that was.
	Archive(ctx context.Context, id string) error
	Clean(ctx context.Context, o CleanOptions) ([]string, error)
}

// StartOptions are about admission.
type StartOptions struct {
	// Max loops at once in one repository; Force starts one more anyway.
	Max   int
	Force bool
	// PerParent is how many loops of one orchestration run at once; 0 is no
	// limit. Force does not lift it.
	PerParent int
	// Alone refuses the loop (ErrTwin) while another one of the same task has
	// not ended.
	Alone bool
}

// ResumeOptions say how far to go.
type ResumeOptions struct {
	// TakeOver a loop from an owner that still lives.
	TakeOver bool
	// Now ends a wait for a limit at once.
	Now bool
	// From is the number of a checkpoint to go on from; 0 goes on with what is
	// there.
	From int
	// Rescue: no person asked, but whoever looks after crashed loops.
	Rescue bool
	// Max and Force are about admission, as in StartOptions: a loop that was
	// paused or has crashed holds no place among those that run.
	Max   int
	Force bool
}

// Drive is how a face takes part in a run.
type Drive struct {
	// Watch is told every transition, in order, and must return quickly.
	Watch func(Update)
	// Stops carries the wishes to stop: each one asks for more.
	Stops <-chan Stop
	// Rests: whoever drives asks a person itself, or has other things to do, and
	// takes the loop up when the time for an answer is over. Else a question with
	// a deadline is waited for.
	Rests bool
}

// Stop says how urgently a run is to stop.
type Stop int

// Finish the step and pause; end the agent and pause; kill and pause.
const (
	AfterStep Stop = iota + 1
	EndAgent
	KillAgent
)

// Update is one transition, or a sign of life between two.
type Update struct {
	Before, After loop.State
	// Event is nil for a sign of life; Seq is its number in the loop.
	Event loop.Event
	Seq   int64
	Beat  *Beat
}

// Beat tells what is going on inside a step.
type Beat struct {
	Action     loop.Action
	Since      time.Time
	LastOutput time.Time
	// Text is the newest word, tool or file of the agent; Used what it says it
	// has used in this run.
	Text string
	Used loop.Usage
}

// Command is something a person or a program wants of a loop.
type Command struct {
	Kind CommandKind
	Text string
	By   string
	// Question that an answer or a Wake is for, by its id: one that was settled meanwhile is
	// not answered, nor the next one in its place. Empty is the one that is open.
	Question string
	// Max, PerParent and Force are about admission, where Continue makes a loop
	// run again.
	Max, PerParent int
	Force          bool
}

// CommandKind names a command. The set is closed.
type CommandKind string

// The commands. PauseNow ends the agent, Wake ends a wait; with a question it says
// that the time for its answer is over.
const (
	Pause    CommandKind = "pause"
	PauseNow CommandKind = "pause_now"
	Abort    CommandKind = "abort"
	Steer    CommandKind = "steer"
	Answer   CommandKind = "answer"
	Wake     CommandKind = "wake"
	// Continue ends the pause of a loop that its agent drives.
	Continue CommandKind = "continue"
	// Ask is a question of an agent at work; Text is a loop.Question as JSON.
	Ask CommandKind = "ask"
)

// Word is what a command is called in an inbox: its kind, and behind it the
// question that it is for.
func (c Command) Word() string {
	if c.Question == "" {
		return string(c.Kind)
	}
	return string(c.Kind) + " " + c.Question
}

// Said is the command that lies in an inbox under a word.
func Said(word, text, by string) Command {
	kind, question, _ := strings.Cut(word, " ")
	return Command{Kind: CommandKind(kind), Question: question, Text: text, By: by}
}

// Loop is everything about one loop.
type Loop struct {
	State loop.State
	Facts
	// Dir holds its files: prompts, output, evidence.
	Dir string
	Seq int64
}

// Facts are what the state alone does not tell.
type Facts struct {
	Live, Crashed, Archived bool
	// Rescue is what was done for a crashed loop since it last got on.
	Rescue rescue.Record
	// Holds: it counts against the limit of loops.
	Holds bool
	// Due: the state shown is what time has made of an agent-driven loop, and is
	// not recorded yet (Settle).
	Due   bool
	Owner string
}

// Mark is where a loop stood when it was looked at. Two marks that are equal
// stand for the same Loop, unless it is unsteady.
type Mark struct {
	ID                      string
	Seq                     int64
	Live, Crashed, Archived bool
	// Unsteady: what is shown of it may move without an event. Time ends a loop
	// that its agent drives, and a crashed one is looked after.
	Unsteady bool
}

// Filter of a list. The zero value lists every loop that is not archived.
type Filter struct {
	// Active leaves out what has ended, Ended what has not; Archived adds what
	// was put away.
	Active, Ended, Archived bool
	// Mode and Parent, where set, are those of the wanted loops.
	Mode   loop.Mode
	Parent string
	// Apart leaves out loops that belong to the run of a plan.
	Apart bool
	// Limit is how many of the newest; 0 is no limit.
	Limit int
}

// Record is an event as it was recorded.
type Record struct {
	Seq   int64
	Epoch int64
	At    time.Time
	Name  string
	Event loop.Event
	Data  []byte
}

// CleanOptions say what Clean may remove.
type CleanOptions struct {
	OlderThan time.Duration
	Worktrees bool
	DryRun    bool
}

// The situations a face tells apart.
var (
	ErrNoLoop  = errors.New("no such loop")
	ErrTwin    = errors.New("another loop of this task is unfinished")
	ErrExists  = errors.New("a loop with this id exists")
	ErrRunning = errors.New("the loop is run by somebody else")
	ErrFenced  = errors.New("the loop was taken over by another owner")
	// ErrNotNow: it is nobody's fault, and worth trying again later.
	ErrNotNow    = errors.New("not now")
	ErrEnded     = errors.New("the loop has ended")
	ErrNotEnded  = errors.New("the loop has not ended")
	ErrNotPassed = errors.New("only a loop that passed can be accepted")
	ErrCycle     = errors.New("this loop would wait for itself")
	// ErrDriven: nobody but its agent runs the loop; ErrSupervised: it is no
	// such loop.
	ErrDriven     = errors.New("the loop is driven by its agent")
	ErrSupervised = errors.New("the loop is run by ralph, not driven by an agent")
)

// FullError refuses a loop because of those that run.
type FullError struct {
	Active []string
	Max    int
	// Paths is the number of communication paths one more loop would make
	// (seed 001: n(n−1)/2).
	Paths int
	// Parent is the orchestration whose own limit it is; "" is the repository.
	Parent string
	Err    error
}

func (e *FullError) Error() string {
	band := ""
	if b := loop.BandOf(len(e.Active) + 1); e.Parent == "" {
		band = fmt.Sprintf(" (%s loops: %s, seed 001)", b.Range(), b.Word)
	}
	return fmt.Sprintf("%v%s: %s", e.Err, band, strings.Join(e.Active[:min(len(e.Active), 10)], ", "))
}
func (e *FullError) Unwrap() error { return e.Err }

// Hint is what a person can do about it. Paused loops hold no place. From 8
// loops on insisting is no advice (seed 001).
func (e *FullError) Hint() string {
	const room = "let one finish, end one (ralph abort OTHER) or pause one (ralph pause OTHER)"
	switch n := len(e.Active) + 1; {
	case e.Parent != "":
		return room
	case loop.BandOf(n).To == 0:
		return room + "; so many loops work better in groups with a parent of their own: ralph advise"
	}
	return room + ", or insist with --force"
}
