package plugin

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Target is a program that can learn of ralph, or agents-md for any that reads
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

// Scope says for whom.
type Scope string

// Project is everybody who works in one repository, User one person everywhere.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// Places are absolute folders. An empty one is not there.
type Places struct {
	// Project is the root of the working tree, State ralph's own folder in the
	// repository's common git directory.
	Project, State string
	// Home is the person's; ClaudeDir, CodexDir and GeminiDir are where those
	// programs keep their settings, Config and Data the XDG base directories.
	Home, ClaudeDir, CodexDir, GeminiDir, Config, Data string
}

// Plan is what one target gets.
type Plan struct {
	Target Target
	Scope  Scope
	Parts  []Part
	// Dirs must be there before the parts are of use.
	Dirs []string
	// Notes are for the person: what else it needs, and what it cannot do.
	Notes []string
}

// Part is a file below Root, and what ralph has in it.
type Part struct {
	Root, Name string
	edit
}

func (p Part) path() string { return filepath.Join(p.Root, filepath.FromSlash(p.Name)) }

// edit is one way to have something in a file. Both get nil where there is no
// file; a result of nil means that there is to be none.
type edit interface {
	// add puts in what is missing. kept says what was there already in words of
	// somebody else's.
	add(old []byte) (text []byte, kept []string, err error)
	// remove takes out what add would put in. before is the file as it was
	// before ralph first changed it, nil if there was none.
	remove(old, before []byte) (text []byte, kept []string, err error)
}

// NotHereError: a target has no such scope, or not here.
type NotHereError struct {
	Target Target
	Scope  Scope
	Why    string
	Hint   string
}

func (e *NotHereError) Error() string {
	return fmt.Sprintf("%s, scope %s: %s", e.Target, e.Scope, e.Why)
}

// For plans what a target gets.
func For(t Target, s Scope, p Places) (Plan, error) {
	makers := map[Target]func(Scope, Places) (Plan, error){
		Claude: claude, Codex: codex, Gemini: gemini, OpenCode: openCode, AgentsMD: agentsMD,
	}
	if s == Project && p.Project == "" {
		return Plan{}, &NotHereError{t, s, "this is no working tree of a repository", "run it in one, or add --scope user"}
	}
	plan, err := makers[t](s, p)
	plan.Target, plan.Scope = t, s
	return plan, err
}

// Known finds a target by its name.
func Known(name string) (Target, error) {
	if slices.Contains(Targets(), Target(name)) {
		return Target(name), nil
	}
	var names []string
	for _, t := range Targets() {
		names = append(names, string(t))
	}
	return "", fmt.Errorf("there is no target %q; there are %s", name, strings.Join(names, ", "))
}
