package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/proc"
)

// Commands that work on the loops of a team, and those that are about no loops at all.
// Others are refused: they would silently show the loops of this machine.
var (
	ofTeam = []string{"run", "status", "show", "logs", "wait", "answer", "steer", "pause", "resume", "retry", "abort", "accept", "archive", "clean", "report", "plan", "worker", "watch", "web", "serve", "notify", "advise", "mcp"}
	ofNone = []string{"", "help", "version", "completion", "doctor", "demo", "init", "config", "trust", "plugin", "__complete", "__completeNoDesc"}
	// ofAgents are about the loop that calls them, or that an agent drives: these are
	// always of this machine. The setting engine is not for them.
	ofAgents = []string{"loop", "agent-loop", "ask", "dispute", "hook", "learn"}
	// ofBoth are about this machine and a server: they choose the server themselves.
	ofBoth  = []string{"move"}
	workers = "ralph-worker"
)

// selectEngine selects the engine that the command is about: the one given, or that of the
// environment, or of the user's settings. A program that does not link it hands the command
// over to one that does.
func (a *app) selectEngine(cmd *cobra.Command, given string) error {
	name := ""
	if words := strings.Fields(cmd.CommandPath()); len(words) > 1 {
		name = words[1]
	}
	if a.sandboxedAgent != nil || slices.Contains(ofBoth, name) || slices.Contains(ofNone, name) && (name != "" || cmd.Flags().Changed("version")) {
		return nil
	}
	given, leave, err := a.engineOf(name, given)
	if given == "" || err != nil {
		return err
	}
	// What this process starts, or does for a screen, is about the same engine.
	a.Env = ofEngine(a.Env, given)
	if given == config.LocalEngine {
		return nil
	}
	if name != "" && !slices.Contains(ofTeam, name) {
		return exit.UsageError(leave+": then it is about the loops of this machine", "ralph %s does not work with --engine yet", name)
	}
	address, err := project.ParseAddress(given)
	if err != nil {
		return err
	}
	if a.Engines[address.Scheme] == nil {
		return a.execWorker()
	}
	a.TeamAddress = &address
	return nil
}

// linked returns nil where this program links the engine at an address. Else it hands the
// command over.
func (a *app) linked(address project.Address) error {
	if a.Engines[address.Scheme] == nil {
		return a.execWorker()
	}
	return nil
}

// ofEngine is an environment for commands about an engine.
func ofEngine(env []string, engine string) []string {
	return append(command.WithoutPrefix(env, project.TeamVariable+"="), project.TeamVariable+"="+engine)
}

// engineOf returns the address of the engine for a command, and how a user leaves it out.
func (a *app) engineOf(name, given string) (address, leave string, err error) {
	if given != "" {
		return given, "leave out --engine", nil
	}
	if given = a.Getenv(project.TeamVariable); given != "" {
		return given, "unset " + project.TeamVariable, nil
	}
	if slices.Contains(ofAgents, name) {
		return "", "", nil
	}
	given, err = config.UsersEngine(a.Env)
	return given, "add --engine " + config.LocalEngine, err
}

// execWorker runs the command in the program that links the engines: beside this one, or on
// PATH. It has the same command line.
func (a *app) execWorker() error {
	program := ""
	if self, err := proc.Self(); err == nil {
		beside := filepath.Join(filepath.Dir(self), workers)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			program = beside
		}
	}
	if program == "" {
		found, err := proc.LookPath(workers)
		if err != nil {
			return &exit.Error{
				Code: exit.Missing, Err: fmt.Errorf("--engine needs the program %s, which is neither beside ralph nor on PATH", workers),
				Hint: "build it with: make worker",
			}
		}
		program = found
	}
	code, err := proc.Replace(program, a.runner.Args, a.runner.Started, a.Env)
	if err != nil {
		return &exit.Error{Code: exit.Missing, Err: err, Hint: "build it again with: make worker"}
	}
	return exit.With(code)
}
