package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/agentloop"
	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/sandbox/control"
)

// sandboxedAgent is an agent in a sandbox that asks through its socket: it may use few
// commands, in its own tree, about its own repository.
type sandboxedAgent struct {
	common, tree string
	// sandbox holds the gates of the loops that it drives itself: they are what
	// it wrote into its tree.
	sandbox loop.Sandbox
	write   []string
	asked   bool
}

// askable are the commands that go through a socket: what an agent may ask for. What a
// person decides about notes is not among them.
var askable = []string{
	"ralph ask", "ralph dispute", "ralph loop", "ralph agent-loop", "ralph hook", "ralph mcp",
	"ralph learn add", "ralph learn list", "ralph learn search", "ralph learn show",
}

// isAskable reports whether an agent may ask for a command: one of askable, or a part of it.
func isAskable(cmd *cobra.Command) bool {
	return slices.ContainsFunc(askable, func(name string) bool { return strings.HasPrefix(cmd.CommandPath()+" ", name+" ") })
}

// admit refuses what a sandboxedAgent may not.
func (a *app) admit(cmd *cobra.Command) error {
	switch {
	case a.sandboxedAgent == nil:
		return nil
	case !isAskable(cmd):
		return exit.UsageError("from inside of a sandbox: "+strings.Join(askable, ", "), "%s is not for an agent in a sandbox", cmd.CommandPath())
	case a.Config != "":
		return exit.UsageError("leave out --config", "--config: an agent in a sandbox has the configuration of its tree")
	}
	if cmd.Flags().Changed("trust") {
		return exit.UsageError("leave out --trust", "--trust: an agent in a sandbox cannot allow what its tree asks for")
	}
	return a.sandboxedAgent.in(a.Dir)
}

// in refuses a folder outside of the sandboxedAgent's own tree.
func (g *sandboxedAgent) in(dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || real != g.tree && !strings.HasPrefix(real, g.tree+string(filepath.Separator)) {
		return exit.UsageError("call it in "+g.tree, "%s is not in the tree of this loop", dir)
	}
	return nil
}

// knows refuses another repository.
func (a *app) knows(p *project.Project) error {
	if a.sandboxedAgent != nil && p.Place.CommonDir != a.sandboxedAgent.common {
		return exit.UsageError("call it in "+a.sandboxedAgent.tree, "an agent in a sandbox asks about its own repository only")
	}
	return nil
}

// openControlSocket lets the agent of a loop ask from inside of its sandbox.
func openControlSocket(a *project.Opener, p *project.Project) func(context.Context, loop.State) (worker.ControlSocket, error) {
	return func(ctx context.Context, s loop.State) (worker.ControlSocket, error) {
		tree, err := filepath.EvalSymlinks(s.Worktree)
		if err != nil {
			return nil, err
		}
		return control.Listen(ctx, a.SocketFolders(), &socketServer{Opener: a, loop: s.ID, sandboxedAgent: sandboxedAgent{
			common: p.Place.CommonDir, tree: tree, sandbox: s.Sandbox, write: s.SandboxWrite, asked: s.SandboxAsked,
		}})
	}
}

// socketServer carries out what comes through a control socket.
type socketServer struct {
	*project.Opener
	loop           string
	sandboxedAgent sandboxedAgent
}

// mostAnswered bounds what a command may say through a control socket.
const mostAnswered = 8 << 20

// command is the program as the caller would have started it, outside.
func (p *socketServer) command(c control.Request, in io.Reader, out, notices io.Writer) *app {
	g := p.sandboxedAgent
	v := newApp(foreground.New(&project.Opener{
		Terminal: command.Terminal{
			Streams: command.Streams{In: in, Out: out, Err: notices, Env: p.environment(c), Dir: c.Dir}, Now: p.Now, NoInput: true,
		},
		Options: project.Options{Grace: p.Grace}, Sandboxes: p.Sandboxes, DrivenSandbox: g.sandbox, DrivenWrite: g.write, DrivenAsked: g.asked,
	}), &g)
	v.Guard, v.ControlSocket = v.knows, openControlSocket
	v.Restrict = func(all project.Loops) project.Loops { return ownLoops{all, p.loop} }
	v.runner.Args, v.runner.Started = c.Argv, c.Dir
	return v
}

// environment is this process's own, with the little that a caller may say: the
// rest would decide over files and programs outside.
func (p *socketServer) environment(c control.Request) []string {
	keep := func(kv string, names ...string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	}
	own := slices.DeleteFunc(slices.Clone(p.Env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_DIR=") || strings.HasPrefix(kv, "GIT_WORK_TREE=") || keep(kv, "RALPH_SOCKET", agentloop.SessionFile, "RALPH_LOOP_ID") || keep(kv, worker.SessionIDs()...)
	})
	for _, kv := range c.Env {
		if keep(kv, sessionVariables()...) {
			own = append(own, kv)
		}
	}
	return append(own, "RALPH_LOOP_ID="+p.loop)
}

// sessionVariables are those that a caller hands on.
func sessionVariables() []string {
	return append(worker.SessionIDs(), "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR")
}

// Handle runs a command and keeps its output.
func (p *socketServer) Handle(ctx context.Context, c control.Request) (answer control.Response) {
	var out, notices bounded
	v := p.command(c, bytes.NewReader(c.Stdin), &out, &notices)
	defer func() {
		if bad := recover(); bad != nil {
			fmt.Fprintf(&notices, "ralph: internal error: %v\n%s", bad, debug.Stack())
			answer = control.Response{Exit: exit.Internal, Stdout: out.Bytes(), Stderr: notices.Bytes()}
		}
	}()
	code := v.carryOut(ctx, c.Argv)
	return control.Response{Exit: code, Stdout: out.Bytes(), Stderr: notices.Bytes()}
}

// carryOut is what Main does with a command line.
func (a *app) carryOut(ctx context.Context, args []string) int {
	err := a.sandboxedAgent.in(a.Dir)
	if err == nil {
		err = a.execute(ctx, args)
	}
	if err == nil {
		return exit.Done
	}
	f := a.explain(err)
	a.JSON = a.JSON || slices.Contains(args, "--json")
	a.Report(f)
	return f.Code
}

// Stream serves ralph mcp, the one command that talks for long.
func (p *socketServer) Stream(ctx context.Context, c control.Request, in io.Reader, out control.StreamWriter) (control.Response, bool) {
	var notices bounded
	v := p.command(c, in, out, &notices)
	if c.Argv[len(c.Argv)-1] != "mcp" || v.sandboxedAgent.in(c.Dir) != nil {
		return control.Response{Exit: exit.Usage, Stderr: []byte("ralph: only ralph mcp is served as a stream, in the tree of its loop\n")}, false
	}
	if out.Begin() != nil {
		return control.Response{}, true
	}
	v.carryOut(ctx, []string{"mcp"})
	return control.Response{}, true
}

// bounded keeps the beginning of what is written, and counts on.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := mostAnswered - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
