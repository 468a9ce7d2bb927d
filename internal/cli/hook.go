package cli

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
	"ralph/internal/view"
)

// hookInput is what Claude Code, Codex and Gemini CLI write to a hook's
// standard input, as far as it matters here.
type hookInput struct {
	SessionID string `json:"session_id"`
	Cwd       string `json:"cwd"`
	Source    string `json:"source"`
}

// hookAnswer is what all three read from its standard output. An empty one lets
// the session go.
type hookAnswer struct {
	Decision string       `json:"decision,omitempty"`
	Reason   string       `json:"reason,omitempty"`
	Message  string       `json:"systemMessage,omitempty"`
	Specific *hookContext `json:"hookSpecificOutput,omitempty"`
}

type hookContext struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

func (a *app) hookCommand() *cobra.Command {
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
			Long: `Keep the session working until the gate of its loop is satisfied. It answers only for the
loop that this session started, and lets go when the loop has ended, waits or is paused, and
after two blocks without a change of the files or of the result.`,
			Example: "  ralph hook stop < input.json", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.hookStop(cmd.Context()) },
		},
		&cobra.Command{
			Use: "session-start", Short: "Tell a session its id, its open loop and what was learned",
			Example: "  ralph hook session-start < input.json", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.hookSessionStart(cmd.Context()) },
		},
	)
	return cmd
}

// maxHookInput bounds what is read; the agents send the last message along.
const maxHookInput = 8 << 20

func (a *app) hookInput() (in hookInput, err error) {
	data, err := io.ReadAll(io.LimitReader(a.In, maxHookInput))
	if err == nil {
		err = json.Unmarshal(data, &in)
	}
	return in, err
}

// letGo ends a hook without holding the session. Why is said where it is not
// the ordinary case: a hook that fails must never hold anybody.
func (a *app) letGo(why error) error {
	if why == nil {
		return nil
	}
	a.Say("ralph: %v; letting go", why)
	return a.answerHook(hookAnswer{Message: "ralph: " + view.Clean(why.Error()) + "; the session is not held"})
}

func (a *app) answerHook(h hookAnswer) error {
	enc := json.NewEncoder(a.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(h)
}

// blocksRunning is how often running a session is kept although neither its
// files nor the gate's result changed. Claude Code overrides a hook after nine
// blocks, Codex and Gemini CLI never do.
const blocksRunning = 2

func (a *app) hookStop(ctx context.Context) error {
	in, err := a.hookInput()
	if err != nil {
		return a.letGo(fmt.Errorf("read the hook's input: %w", err))
	}
	p, l, err := a.boundLoop(ctx, in)
	if err != nil || l == nil {
		return a.letGo(err)
	}
	defer p.Close()
	if l.State.Status != loop.Running {
		return nil
	}
	running, err := p.Store.Block(ctx, l.State.ID, a.markOf(ctx, p, in, *l))
	if err != nil {
		return a.letGo(err)
	}
	if running > blocksRunning {
		return a.letGo(fmt.Errorf("loop %s: nothing changed since the session was last kept", l.State.ID))
	}
	return a.answerHook(hookAnswer{Decision: "block", Reason: view.Check(l.State, a.Now(), view.Palette{})})
}

// boundLoop finds the active loop that the session started; nil if there is
// none. Most sessions have none: they pay for one look at the memory.
func (a *app) boundLoop(ctx context.Context, in hookInput) (*project.Project, *engine.Loop, error) {
	place, ok := a.placeOf(in)
	if in.SessionID == "" || !ok {
		return nil, nil, nil
	}
	p := project.At(place)
	if _, err := os.Lstat(p.Home); err != nil {
		return nil, nil, nil //nolint:nilerr // ralph was never used here
	}
	if err := a.Connect(ctx, p, true); err != nil {
		return nil, nil, err
	}
	id, err := p.Engine.Bound(ctx, in.SessionID)
	p.Close()
	if err != nil || id == "" {
		return nil, nil, err
	}
	if err := a.Connect(ctx, p, false); err != nil {
		return nil, nil, err
	}
	if err := p.Engine.Settle(ctx); err != nil {
		p.Close()
		return nil, nil, err
	}
	l, err := p.Engine.Show(ctx, id)
	if err != nil {
		p.Close()
	}
	return p, &l, err
}

func (a *app) placeOf(in hookInput) (git.Location, bool) {
	dir := a.Dir
	if filepath.IsAbs(in.Cwd) {
		dir = in.Cwd
	}
	return git.Discover(dir)
}

// markOf tells one state of the work from another: the files, and how many
// checks were made. Where the files cannot be looked at, the checks tell alone.
func (a *app) markOf(ctx context.Context, p *project.Project, in hookInput, l engine.Loop) string {
	mark := strconv.FormatInt(l.Seq, 10)
	dir := a.Dir
	if filepath.IsAbs(in.Cwd) {
		dir = in.Cwd
	}
	repo, err := a.glance(ctx, dir)
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

// hookSessionStart tells a session what it needs to know, and hands its id to
// the commands it will run where the agent offers a way.
func (a *app) hookSessionStart(ctx context.Context) error {
	in, err := a.hookInput()
	if err != nil {
		return a.letGo(fmt.Errorf("read the hook's input: %w", err))
	}
	if _, ok := a.placeOf(in); !ok || in.SessionID == "" {
		return nil
	}
	a.exportSession(in.SessionID)
	p, l, err := a.boundLoop(ctx, in)
	if err != nil {
		return a.letGo(err)
	}
	text := fmt.Sprintf("ralph holds this session to a gate if you begin a loop with: ralph loop init --gate NAME --session %s\n", in.SessionID)
	if l != nil {
		defer p.Close()
		text = view.Briefing(l.State, view.Palette{}) + "\n" + view.Check(l.State, a.Now(), view.Palette{})
	}
	if notes := a.sessionNotes(ctx, in, l); notes != "" {
		text += "\n" + notes
	}
	return a.answerHook(hookAnswer{Specific: &hookContext{Event: "SessionStart", Context: text}})
}

// exportSession writes the session's id where Claude Code reads variables for
// the commands of the session. Without it, the agent is told the id in words.
func (a *app) exportSession(id string) {
	file := a.Getenv("CLAUDE_ENV_FILE")
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
