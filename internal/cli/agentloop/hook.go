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
		Short:   "Hold an agent's own session to its gate: hooks for Claude Code, Codex and Gemini CLI",
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
	p, l, err := c.boundLoop(ctx, in)
	if err != nil || l == nil {
		return c.Release(err)
	}
	defer p.Close()
	if l.State.Status != loop.Running {
		return nil
	}
	running, err := p.Store.Block(ctx, l.State.ID, c.progressOf(ctx, p, in, *l))
	if err != nil {
		return c.Release(err)
	}
	if running > blocksRunning {
		return c.Release(fmt.Errorf("loop %s: nothing changed since the session was last kept", l.State.ID))
	}
	return c.writeHook(hookOutput{Decision: "block", Reason: view.Check(l.State, c.Now(), view.Palette{})})
}

// boundLoop finds the active loop that the session started; nil if there is
// none. Most sessions have none: they pay for one look at the memory.
func (c *Commands) boundLoop(ctx context.Context, in hookInput) (*project.Project, *engine.Loop, error) {
	place, ok := c.repositoryOf(in)
	if in.SessionID == "" || !ok {
		return nil, nil, nil
	}
	p := project.At(place)
	if _, err := os.Lstat(p.Home); err != nil {
		return nil, nil, nil //nolint:nilerr // ralph was never used here
	}
	if err := c.Connect(ctx, p, true); err != nil {
		return nil, nil, err
	}
	id, err := p.Engine.Bound(ctx, in.SessionID)
	p.Close()
	if err != nil || id == "" {
		return nil, nil, err
	}
	if err := c.Connect(ctx, p, false); err != nil {
		return nil, nil, err
	}
	if err := p.Engine.RecordDue(ctx); err != nil {
		p.Close()
		return nil, nil, err
	}
	l, err := p.Engine.Show(ctx, id)
	if err != nil {
		p.Close()
	}
	return p, &l, err
}

func (c *Commands) repositoryOf(in hookInput) (git.Location, bool) {
	dir := c.Dir
	if filepath.IsAbs(in.Cwd) {
		dir = in.Cwd
	}
	return git.Discover(dir)
}

// progressOf identifies a state of the work: the files and the loop's last event,
// or the event alone if the files cannot be read.
func (c *Commands) progressOf(ctx context.Context, p *project.Project, in hookInput, l engine.Loop) string {
	mark := strconv.FormatInt(l.Seq, 10)
	dir := c.Dir
	if filepath.IsAbs(in.Cwd) {
		dir = in.Cwd
	}
	repo, err := c.openRepository(ctx, dir)
	if err != nil {
		return mark
	}
	p.Repo = repo
	sight, err := repo.SnapshotTree(ctx, "")
	if err != nil {
		return mark
	}
	return mark + " " + sight.Commit + " " + sight.Tree
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
	p, l, err := c.boundLoop(ctx, in)
	if err != nil {
		return c.Release(err)
	}
	text := fmt.Sprintf("ralph holds this session to a gate if you begin a loop with: ralph loop init --gate NAME --session %s\n", in.SessionID)
	if l != nil {
		defer p.Close()
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

// exportSession writes the session's id where Claude Code reads variables for
// the commands of the session. Without it, the agent is told the id in words.
func (c *Commands) exportSession(id string) {
	file := c.Getenv("CLAUDE_ENV_FILE")
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
