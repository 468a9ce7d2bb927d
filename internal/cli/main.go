package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/agent/script"
	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/lazyregexp"
	"ralph/internal/proc"
	"ralph/internal/sandbox"
)

// Main runs one command and returns its exit code.
func Main(args []string, streams command.Streams, o Options) (code int) {
	out := &command.Output{Writer: streams.Out}
	streams.Out = out
	if o.Clock == nil {
		o.Clock = time.Now
	}
	a := newApp(foreground.New(&project.Opener{Terminal: command.Terminal{Streams: streams, Now: o.Clock}, Options: o}), nil)
	a.Guard, a.ControlSocket = a.knows, openControlSocket
	a.Grace = cmp.Or(a.Grace, project.Grace)
	a.runner.Handoff, args = proc.AcceptHandoff(args)
	a.runner.Args, a.runner.Started = args, a.Dir
	a.Sandboxes = &sandbox.Capabilities{Env: a.Env, Memory: filepath.Join(a.StateHome(), "ralph", "sandbox")}
	defer func() {
		if p := recover(); p != nil {
			a.Report(&exit.Error{
				Code: exit.Internal, Err: fmt.Errorf("internal error: %v", p),
				Hint: "this is a mistake in ralph; nothing that was recorded is lost",
			})
			fmt.Fprintf(a.Err, "%s", debug.Stack())
			code = exit.Internal
		}
	}()
	if len(args) == 2 && args[0] == script.Verb {
		return script.Play(context.Background(), args[1], a.Out)
	}
	err := a.execute(context.Background(), args)
	if err == nil {
		err = out.Failed()
	}
	if err == nil {
		return exit.Done
	}
	f := a.explain(err)
	a.JSON = a.JSON || slices.Contains(args, "--json") // also where a wrong flag stopped the reading
	a.Report(f)
	return f.Code
}

// commandCode runs a command in the same place, without a user to ask, and returns what it
// prints and its exit code. A process that the command starts in the background prints into
// the same pipe, and closes it once its run is recorded.
func (a *app) commandCode(args ...string) (string, int) {
	from, to, err := os.Pipe()
	if err != nil {
		return err.Error(), exit.Internal
	}
	defer from.Close()
	printed := make(chan []byte, 1)
	go func() {
		words, _ := io.ReadAll(io.LimitReader(from, mostAnswered))
		_, _ = io.Copy(io.Discard, from)
		printed <- words
	}()
	env := append(slices.Clone(a.Env), "NO_COLOR=1", "RALPH_NO_INPUT=1")
	code := Main(args, command.Streams{In: strings.NewReader(""), Out: to, Err: to, Env: env, Dir: a.Dir}, a.Options)
	_ = to.Close()
	return string(<-printed), code
}

func (a *app) execute(ctx context.Context, args []string) error {
	root := a.root(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		a.completeFlags(root) // which no other command needs, and takes a tenth of the start
	}
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	cmd, err := root.ExecuteContextC(ctx)
	var f *exit.Error
	if err != nil && !errors.As(err, &f) && fromCobra(err) {
		return inOurWords(cmd, err)
	}
	return err
}

// fromCobra recognises the errors of the command line library, which have no
// types of their own.
func fromCobra(err error) bool {
	for _, start := range []string{
		"unknown command", "unknown flag", "unknown shorthand flag", "invalid argument", "flag needs an argument",
		"accepts ", "requires at least", "required flag", "bad flag syntax", "if any flags in the group", "only one of", "at least one of",
	} {
		if strings.HasPrefix(err.Error(), start) {
			return true
		}
	}
	return false
}

// at is the directory a command works in (-C).
func (a *app) at(dir string) error {
	if dir == "" {
		return nil
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.Dir, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return exit.UsageError("name an existing directory", "-C: there is no directory %s", dir)
	}
	a.Dir = dir
	if a.sandboxedAgent != nil {
		return a.sandboxedAgent.in(dir)
	}
	return nil
}

// explain is exit.Classify with the id of the run that the command is about, where a
// hint has ID.
func (a *app) explain(err error) *exit.Error {
	f := *exit.Classify(err)
	if a.About != "" {
		f.Hint = placeholder.ReplaceAllString(f.Hint, a.About)
	}
	return &f
}

var placeholder = lazyregexp.New(`\bID\b`)
