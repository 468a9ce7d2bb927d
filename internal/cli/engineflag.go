package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/proc"
)

// Commands that work on the loops of a team, and those that are about no loops at all.
// Others are refused: they would silently show the loops of this machine.
var (
	ofTeam  = []string{"run", "status", "show", "logs", "wait", "answer", "steer", "pause", "resume", "abort", "accept", "archive", "report", "worker"}
	ofNone  = []string{"", "help", "version", "completion", "doctor", "demo", "init", "config", "trust", "plugin", "__complete", "__completeNoDesc"}
	workers = "ralph-worker"
)

// elsewhere selects the engine that the command is about: the one given, or that of the
// environment. A program that does not link it hands the command over to one that does.
func (a *app) elsewhere(cmd *cobra.Command, given string) error {
	if given == "" {
		given = a.Getenv(project.TeamVariable)
	}
	if given == "" || a.sandboxedAgent != nil {
		return nil
	}
	name := ""
	if words := strings.Fields(cmd.CommandPath()); len(words) > 1 {
		name = words[1]
	}
	switch {
	case name == "" && !cmd.Flags().Changed("version"):
	case slices.Contains(ofNone, name):
		return nil
	case !slices.Contains(ofTeam, name):
		return exit.UsageError("leave out --engine, or unset "+project.TeamVariable+": then it is about the loops of this machine",
			"ralph %s does not work with --engine yet", name)
	}
	address, err := project.ParseAddress(given)
	if err != nil {
		return err
	}
	if a.Engines[address.Scheme] == nil {
		return a.handOver()
	}
	a.Team = &address
	return nil
}

// handOver runs the command in the program that links the engines: beside this one, or on
// PATH. It has the same command line.
func (a *app) handOver() error {
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
	code, err := proc.Replace(program, a.Args, a.Started, a.Env)
	if err != nil {
		return &exit.Error{Code: exit.Missing, Err: err, Hint: "build it again with: make worker"}
	}
	return exit.With(code)
}
