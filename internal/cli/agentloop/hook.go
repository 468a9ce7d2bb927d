package agentloop

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/text"
	"ralph/internal/view"
)

// hookInput is what Claude Code, Codex and Gemini CLI write to a hook's
// standard input, as far as it matters here.
type hookInput struct {
	SessionID string `json:"session_id"`
	Cwd       string `json:"cwd"`
	Source    string `json:"source"`
}

// hookOutput is what all three read from its standard output. An empty one lets
// the session go.
type hookOutput struct {
	Decision string       `json:"decision,omitempty"`
	Reason   string       `json:"reason,omitempty"`
	Message  string       `json:"systemMessage,omitempty"`
	Specific *hookContext `json:"hookSpecificOutput,omitempty"`
}

type hookContext struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// HookCommand returns ralph hook.
func (c *Commands) HookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "hook",
		GroupID: command.GroupAgents,
		Short:   "Keep an agent's session working until its gate passes: hooks for Claude Code, Codex and Gemini CLI",
		Example: `  echo '{"session_id":"…","cwd":"…"}' | ralph hook stop
  echo '{"session_id":"…","cwd":"…"}' | ralph hook session-start
  ralph plugin install claude          # writes them into the agent's settings`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return exit.UsageError("ralph hook --help", "say which hook: stop or session-start")
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "stop", Short: "Keep the session working until the gate of its loop is satisfied",
			Long: `Keep the session working until the gate of its loop is satisfied. It covers only the
loop that this session started, and lets the session stop when the loop has ended, waits or
is paused, and after two blocks without a change of the files or of the result.`,
			Example: "  ralph hook stop < input.json", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return c.stopHook(cmd.Context()) },
		},
		&cobra.Command{
			Use: "session-start", Short: "Tell a session its id, its open loop and what was learned",
			Example: "  ralph hook session-start < input.json", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return c.sessionStartHook(cmd.Context()) },
		},
	)
	return cmd
}

// MaxHookInput limits the input of a hook; agents send their last message along.
const MaxHookInput = 8 << 20

func (c *Commands) readInput() (in hookInput, err error) {
	data, err := io.ReadAll(io.LimitReader(c.In, MaxHookInput))
	if err == nil {
		err = json.Unmarshal(data, &in)
	}
	return in, err
}

// Release ends a hook without holding the session: a hook that fails never
// holds one. The reason is shown, except in the ordinary case, nil.
func (c *Commands) Release(why error) error {
	if why == nil {
		return nil
	}
	c.Say("ralph: %v; the session may stop", why)
	return c.writeHook(hookOutput{Message: "ralph: " + text.Clean(why.Error()) + "; the session is not held"})
}

func (c *Commands) writeHook(h hookOutput) error {
	enc := json.NewEncoder(c.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(h)
}

// blocksRunning is how often running a session is kept although neither its
// files nor the gate's result changed. Claude Code overrides a hook after nine
// blocks, Codex and Gemini CLI never do.
const blocksRunning = 2

func (c *Commands) stopHook(ctx context.Context) error {
	in, err := c.readInput()
	if err != nil {
		return c.Release(fmt.Errorf("read the hook's input: %w", err))
	}
	p, id, err := c.boundID(ctx, in)
	if err != nil || id == "" {
		return c.Release(err)
	}
	looking, stop := context.WithCancel(ctx)
	defer stop()
	seen := c.lookAt(looking, in)
	l, err := c.openBound(ctx, p, id)
	if err != nil {
		return c.Release(err)
	}
	defer p.Close()
	if l.State.Status != loop.Running || c.refuseOthers(l) != nil {
		return nil
	}
	running, err := p.Store.Block(ctx, l.State.ID, strconv.FormatInt(l.Seq, 10)+<-seen)
	if err != nil {
		return c.Release(err)
	}
	if running > blocksRunning {
		return c.Release(fmt.Errorf("loop %s: nothing changed since the session was last kept", l.State.ID))
	}
	return c.writeHook(hookOutput{Decision: "block", Reason: view.Check(l.State, c.Now(), view.Palette{})})
}

// boundID finds the active loop that the session started, and the repository; "" if there
// is none. Most sessions have none, and do not open the database.
func (c *Commands) boundID(ctx context.Context, in hookInput) (*project.Project, string, error) {
	place, ok := c.repositoryOf(in)
	if in.SessionID == "" || !ok {
		return nil, "", nil
	}
	p := project.At(place)
	if _, err := os.Lstat(p.Home); err != nil || c.Unbound(p, in.SessionID) {
		return nil, "", nil // ralph was never used here, or not by the session
	}
	if err := c.Connect(ctx, p, true); err != nil {
		return nil, "", err
	}
	defer p.Close()
	id, err := p.Loops.Bound(ctx, in.SessionID)
	return p, id, err
}

// openBound returns the loop of a session as it is now. The caller closes p, unless there
// is an error.
func (c *Commands) openBound(ctx context.Context, p *project.Project, id string) (l engine.Loop, err error) {
	if err = c.Connect(ctx, p, false); err != nil {
		return l, err
	}
	if err = p.Loops.RecordDue(ctx); err == nil {
		l, err = p.Loops.Show(ctx, id)
	}
	if err != nil {
		p.Close()
	}
	return l, err
}

func (c *Commands) repositoryOf(in hookInput) (git.Location, bool) {
	dir := c.Dir
	if filepath.IsAbs(in.Cwd) {
		dir = in.Cwd
	}
	return git.Discover(dir)
}

// lookAt sends what identifies the files of the session's tree, beside the caller; "" if
// they cannot be read.
func (c *Commands) lookAt(ctx context.Context, in hookInput) <-chan string {
	seen := make(chan string, 1)
	go func() {
		mark := ""
		defer func() { seen <- mark }()
		dir := c.Dir
		if filepath.IsAbs(in.Cwd) {
			dir = in.Cwd
		}
		repo, err := c.openRepository(ctx, dir)
		if err != nil {
			return
		}
		if sight, err := repo.SnapshotTree(ctx, ""); err == nil {
			mark = " " + sight.Commit + " " + sight.Tree
		}
	}()
	return seen
}

// sessionStartHook tells a session its id, its open loop and notes, and hands the
// id to its commands if the agent has a way to.
func (c *Commands) sessionStartHook(ctx context.Context) error {
	in, err := c.readInput()
	if err != nil {
		return c.Release(fmt.Errorf("read the hook's input: %w", err))
	}
	if _, ok := c.repositoryOf(in); !ok || in.SessionID == "" {
		return nil
	}
	c.exportSession(in.SessionID)
	p, id, err := c.boundID(ctx, in)
	var l *engine.Loop
	if err == nil && id != "" {
		var bound engine.Loop
		if bound, err = c.openBound(ctx, p, id); err == nil {
			defer p.Close()
			l = &bound
		}
	}
	if err != nil {
		return c.Release(err)
	}
	text := fmt.Sprintf("ralph holds this session to a gate if you begin a loop with: ralph loop init --gate NAME --session %s\n", in.SessionID)
	if l != nil {
		text = view.Briefing(l.State, view.Palette{}) + "\n" + view.Check(l.State, c.Now(), view.Palette{})
	}
	if notes := c.sessionNotes(ctx, in, l); notes != "" {
		text += "\n" + notes
	}
	return c.writeHook(hookOutput{Specific: &hookContext{Event: "SessionStart", Context: text}})
}

// ExportSession hands the session of a hook's input to the commands that the
// agent will run, if the input names one.
func (c *Commands) ExportSession(input []byte) {
	var in hookInput
	if json.Unmarshal(input, &in) == nil && in.SessionID != "" {
		c.exportSession(in.SessionID)
	}
}

// SessionFile is the variable that names the file of exportSession.
const SessionFile = "CLAUDE_ENV_FILE"

// exportSession writes the session's id where Claude Code reads variables for
// the commands of the session. Without it, the agent is told the id in words.
func (c *Commands) exportSession(id string) {
	file := c.Getenv(SessionFile)
	if file == "" || strings.ContainsAny(id, "'\n") {
		return
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "export RALPH_SESSION='%s'\n", id)
}
