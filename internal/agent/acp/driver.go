package acp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent"
	"ralph/internal/agent/gemini"
	"ralph/internal/agent/opencode"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Driver runs a program that speaks the protocol.
type Driver struct{}

var _ agent.Driver = Driver{}

// Capabilities: some of the programs have them.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Denials: true, Resume: true}
}

// quiet returns variables that some of the programs need to behave. They have
// no effect on the others.
func quiet(job *agent.Job) []string {
	// Claude Code tells its adapter nothing of its ten tries, which take minutes.
	return append(append(opencode.Configure(job), gemini.Quiet()...), "CLAUDE_CODE_MAX_RETRIES=3", "QWEN_CODE_NO_RELAUNCH=true")
}

// Run runs the program once: one session, one prompt.
func (Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	prompt, err := os.ReadFile(job.Prompt)
	if err != nil {
		return loop.Outcome{}, fmt.Errorf("read the prompt: %w", err)
	}
	if len(job.Agent.Argv) == 0 {
		return loop.Outcome{End: loop.EndPermanent, Message: "the program is missing (agents." + job.Agent.Name + ".run)"}, nil
	}
	far, near, err := os.Pipe()
	if err != nil {
		return loop.Outcome{}, fmt.Errorf("speak with the agent: %w", err)
	}
	defer far.Close() // a second time, where it was started
	env := quiet(&job)
	d := newDialect(job, near)
	d.begin(context.WithoutCancel(ctx), strings.ToValidUTF8(string(prompt), "�"))
	defer d.hangUp()
	out, err := stream.Run(ctx, job, stream.Launch{Argv: job.Agent.Argv, Env: env, Input: far, TempDir: true}, d)
	out.OwnSandboxOff = d.unboxed.Load()
	return out, err
}

// dialect understands one run.
type dialect struct {
	policy policy
	in     *os.File       // to the program
	back   *io.PipeWriter // to the SDK: all but updates
	conn   *sdk.Connection
	over   chan struct{} // closed when the conversation is over
	// asked is the number of the newest request, answered that of the newest response.
	asked, answered atomic.Int64

	tally   atomic.Pointer[stream.Tally] // from the first line on
	resume  *agent.Resume
	recalls atomic.Bool // its updates are of the run before

	said  said
	calls map[sdk.ToolCallId]call
	cost  int64  // of the session so far, in millionths of a dollar
	name  string // the program's own
	fell  confession
	// unboxed: its own sandbox was switched off.
	unboxed atomic.Bool
	gemini.Muttered

	worth  stream.Verdict
	failed *sdk.RequestError // it returned an error
	early  bool              // before the prompt
}

func newDialect(job agent.Job, in *os.File) *dialect {
	out, back := io.Pipe()
	d := &dialect{
		policy: policy{job.Agent.Permissions, job.Tree, job.Sandbox != nil && job.Sandbox.Landlock != nil}, in: in, back: back, over: make(chan struct{}),
		resume: job.Resume, calls: map[sdk.ToolCallId]call{},
	}
	if d.resume != nil && d.resume.Used.CostMicroUSD != nil {
		d.cost = *d.resume.Used.CostMicroUSD
	}
	d.conn = sdk.NewConnection(d.answer, in, out)
	d.conn.SetLogger(slog.New(slog.DiscardHandler))
	return d
}

// hangUp ends the conversation and waits for it. The program is gone by then, or
// was never there. A response that it left is heard first: the SDK may drop one that
// comes together with the end.
func (d *dialect) hangUp() {
	for end := time.Now().Add(hearing); d.asked.Load() == d.answered.Load() && time.Now().Before(end); {
		select {
		case <-d.over:
			end = time.Time{}
		case <-time.After(time.Millisecond):
		}
	}
	_ = d.back.Close()
	_ = d.in.Close()
	<-d.over
}

// hearing bounds the wait for a response that the SDK does not take for one.
const hearing = 5 * time.Second

// with uses the tally from outside of a line.
func (d *dialect) with(f func(*stream.Tally)) {
	if t := d.tally.Load(); t != nil {
		t.Locked(func() { f(t) })
	}
}

// End is the verdict of the conversation; of an error, the program may have
// reported more before.
func (d *dialect) End(*stream.Tally, proc.Exit) stream.Verdict {
	d.hangUp()
	if d.failed != nil {
		return d.refusal(d.failed)
	}
	return d.worth
}

// Aside takes a line that is no message: some programs report facts there
// only.
func (d *dialect) Aside(t *stream.Tally, line []byte) {
	opencode.Log(t, line)
	d.Muttered.Aside(t, line)
}
