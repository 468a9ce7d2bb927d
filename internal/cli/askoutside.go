package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/agentloop"
	"ralph/internal/cli/exit"
	"ralph/internal/sandbox/control"
)

// forwardToSupervisor sends a command to the process that supervises this agent, where
// there is one and the command is for it. It is typed and answered as ever.
func (a *app) forwardToSupervisor(cmd *cobra.Command) {
	socket := a.Getenv("RALPH_SOCKET")
	if socket == "" || a.sandboxedAgent != nil || !isAskable(cmd) || cmd.RunE == nil {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.askOutside(cmd.Context(), socket, cmd.CommandPath())
	}
}

func (a *app) askOutside(ctx context.Context, socket, path string) error {
	ctx, stop := a.UntilSignal(ctx)
	defer stop()
	c := control.Request{Argv: a.runner.Args, Dir: a.runner.Started, Env: a.sessionEnv()}
	if path == "ralph mcp" {
		return a.answered(control.Stream(ctx, socket, control.Request{Argv: []string{"mcp"}, Dir: a.Dir, Env: c.Env}, a.In, a.Out))
	}
	if strings.HasPrefix(path, "ralph hook ") {
		input, err := io.ReadAll(io.LimitReader(a.In, agentloop.MaxHookInput))
		if err != nil {
			return agentloop.New(a.Opener).Release(err)
		}
		c.Stdin = input
		if path == "ralph hook session-start" {
			agentloop.New(a.Opener).ExportSession(input) // to a file of the agent
		}
	}
	answer, err := control.Do(ctx, socket, c)
	if err != nil && strings.HasPrefix(path, "ralph hook ") {
		return agentloop.New(a.Opener).Release(err)
	}
	return a.answered(answer, err)
}

// sessionEnv are the variables that say whose session this is, and how to write.
func (a *app) sessionEnv() []string {
	return slices.DeleteFunc(slices.Clone(a.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !slices.Contains(sessionVariables(), name)
	})
}

// answered says what came back, and ends as the command has ended there.
func (a *app) answered(answer control.Response, err error) error {
	if err != nil {
		f := &exit.Error{Code: exit.Missing, Err: err, Hint: "outside of a run: unset RALPH_SOCKET"}
		if !errors.Is(err, control.ErrClosed) {
			f.Hint = ""
		}
		return f
	}
	_, _ = io.Copy(a.Out, bytes.NewReader(answer.Stdout))
	_, _ = io.Copy(a.Err, bytes.NewReader(answer.Stderr))
	return exit.With(answer.Exit)
}
