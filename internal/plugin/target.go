package plugin

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Target is a program that ralph is installed in, or agents-md for any that reads
// AGENTS.md.
type Target string

// The targets.
const (
	Claude   Target = "claude"
	Codex    Target = "codex"
	Gemini   Target = "gemini"
	OpenCode Target = "opencode"
	AgentsMD Target = "agents-md"
)

// Targets are all of them.
func Targets() []Target { return []Target{Claude, Codex, Gemini, OpenCode, AgentsMD} }

// Scope is the range of an installation.
type Scope string

// Project is one repository for all its users, User one user everywhere.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// Places are absolute folders; an empty one does not exist.
type Places struct {
	// Project is the root of the working tree, State ralph's own folder in the
	// repository's common git directory.
	Project, State string
	// Home is the user's; ClaudeDir, CodexDir and GeminiDir hold the settings of
	// those programs; Config and Data are the XDG base directories.
	Home, ClaudeDir, CodexDir, GeminiDir, Config, Data string
}

// Plan is the installation in one target.
type Plan struct {
	Target Target
	Scope  Scope
	Parts  []Part
	// Dirs must exist before the parts are of use.
	Dirs []string
	// Notes tell the user what else is needed, and what does not work.
	Notes []string
}

// Part is a file below Root, and ralph's share of it.
type Part struct {
	Root, Name string
	edit
}

func (p Part) path() string { return filepath.Join(p.Root, filepath.FromSlash(p.Name)) }

// edit is a kind of share. Both methods get nil for a missing file, and return nil
// for no file.
type edit interface {
	// add adds what is missing. kept names entries that are present with other
	// values.
	add(old []byte) (text []byte, kept []string, err error)
	// remove removes what add would add. before is the file before ralph first
	// changed it, nil if there was none.
	remove(old, before []byte) (text []byte, kept []string, err error)
}

// NotHereError is returned where a target does not have a scope.
type NotHereError struct {
	Target Target
	Scope  Scope
	Why    string
	Hint   string
}

func (e *NotHereError) Error() string {
	return fmt.Sprintf("%s, scope %s: %s", e.Target, e.Scope, e.Why)
}

// For returns the plan of a target.
func For(t Target, s Scope, p Places) (Plan, error) {
	makers := map[Target]func(Scope, Places) (Plan, error){
		Claude: claude, Codex: codex, Gemini: gemini, OpenCode: openCode, AgentsMD: agentsMD,
	}
	if s == Project && p.Project == "" {
		return Plan{}, &NotHereError{t, s, "this is not a working tree of a repository", "run it in one, or add --scope user"}
	}
	plan, err := makers[t](s, p)
	plan.Target, plan.Scope = t, s
	return plan, err
}

// Known returns the target of a name.
func Known(name string) (Target, error) {
	if slices.Contains(Targets(), Target(name)) {
		return Target(name), nil
	}
	var names []string
	for _, t := range Targets() {
		names = append(names, string(t))
	}
	return "", fmt.Errorf("unknown target %q; known targets: %s", name, strings.Join(names, ", "))
}
