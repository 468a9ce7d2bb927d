package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/config"
	"ralph/internal/detect"
	"ralph/internal/gate"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// settings are the flags that are configuration too.
func (f runFlags) settings() []config.Setting {
	var out []config.Setting
	add := func(key, flag, value string) {
		if value != "" {
			out = append(out, config.Setting{Key: key, Flag: flag, Value: value})
		}
	}
	add("limits.max_iterations", "--max-iterations", f.iterations)
	add("limits.loop_timeout", "--timeout", f.timeout)
	return out
}

// spec freezes what was asked for.
func (a *app) spec(ctx context.Context, p *project, task string, f runFlags) (loop.Spec, error) {
	if strings.TrimSpace(task) == "" {
		return loop.Spec{}, usage("say what is to be done", "the task is empty")
	}
	if !(f.multiplier > 0 && f.multiplier <= 1000) {
		return loop.Spec{}, usage("--timeout-multiplier 2", "--timeout-multiplier %v: use a number above 0, at most 1000", f.multiplier)
	}
	head, err := p.repo.Head(ctx)
	if err != nil {
		return loop.Spec{}, err
	}
	id, err := a.loopID(task, f.loopID)
	if err != nil {
		return loop.Spec{}, err
	}
	set := p.settings.Settings
	s := loop.Spec{
		ID: id, Mode: loop.Supervised, Project: p.name(),
		Task:   loop.Task{ID: taskID(task), Text: task, Criteria: f.criteria, Scope: f.scope},
		Limits: p.settings.Limits(), Root: p.treeOrHome(), Prefix: p.repo.Prefix, Base: head.Commit, Branch: "ralph/" + id,
		Until: len(f.until) > 0, Force: f.force, InPlace: f.inPlace, WithChanges: f.withChanges,
		GatesInAgentTree: set.GatesIn.String() == "agent",
		Setup:            set.Isolation.Setup, Copy: set.Isolation.Copy, Protect: set.Protect,
		ConfigSHA256: p.settings.Digest,
	}
	if s.Gates, err = a.gates(p, f); err != nil {
		return s, err
	}
	if s.Agent, err = a.agent(p, f); err != nil {
		return s, err
	}
	scale(&s, f.multiplier)
	return s, a.checkTrees(ctx, p, s)
}

// checkTrees refuses what the trees do not allow.
func (a *app) checkTrees(ctx context.Context, p *project, s loop.Spec) error {
	if p.repo.Root == "" && (s.InPlace || s.WithChanges) {
		return usage("leave out the flag", "a bare repository has no tree to work in")
	}
	if s.Prefix != "" {
		if _, err := p.repo.ResolveCommit(ctx, s.Base); err != nil {
			return err
		}
		files, err := p.repo.ListTree(ctx, s.Base)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(files, func(f git.File) bool { return strings.HasPrefix(f.Path, s.Prefix+"/") }) && !s.WithChanges {
			return usage("commit it, or use --with-changes", "the folder %s is not part of the commit at HEAD", s.Prefix)
		}
	}
	if s.InPlace && !s.WithChanges {
		d, err := p.repo.Dirty(ctx, "")
		if err != nil {
			return err
		}
		if d.Any() {
			return usage("commit them, or add --with-changes to make them the loop's first commit",
				"--in-place: the tree has uncommitted changes (%s)", strings.Join(d.Sample, ", "))
		}
	}
	return nil
}

// scale multiplies every timeout (--timeout-multiplier, seed 004).
func scale(s *loop.Spec, f float64) {
	s.Limits.Attempt, s.Limits.Loop = s.Limits.Attempt.Scale(f), s.Limits.Loop.Scale(f)
	s.Limits.Session = s.Limits.Session.Scale(f)
	for i := range s.Gates {
		s.Gates[i].Timeout = s.Gates[i].Timeout.Scale(f)
	}
}

// gates are those of --until, of --gate, or the configured ones. With neither
// there is nothing that could prove the task done.
func (a *app) gates(p *project, f runFlags) ([]loop.Gate, error) {
	if len(f.until) > 0 {
		return untilGates(f.until, p.repo.Prefix)
	}
	have := p.settings.Gates()
	if len(f.gates) == 0 && len(have) > 0 {
		return have, nil
	}
	found := a.detected(p)
	if len(f.gates) == 0 {
		return nil, noGates(found)
	}
	for _, d := range found {
		if !slices.ContainsFunc(have, func(g loop.Gate) bool { return g.Name == d.Gate.Name }) {
			have = append(have, d.Gate)
		}
	}
	flags := make([]config.GateFlag, len(f.gates))
	for i, text := range f.gates {
		flag, err := config.ParseGateFlag(text)
		if err != nil {
			return nil, err
		}
		flags[i] = flag
	}
	return config.SelectGates(have, flags)
}

func untilGates(commands []string, dir string) ([]loop.Gate, error) {
	out := make([]loop.Gate, len(commands))
	for i, c := range commands {
		if strings.TrimSpace(c) == "" {
			return nil, usage(`--until "go test ./..."`, "--until is empty")
		}
		name := "until"
		if i > 0 {
			name = fmt.Sprintf("until-%d", i+1)
		}
		kind, parse := gate.Infer(c)
		out[i] = loop.Gate{Name: name, Kind: kind, Parse: parse, Level: loop.Hard, Run: c, Dir: dir, Timeout: loop.GateTimeout(kind)}
	}
	return out, nil
}

// noGates refuses a loop that nothing could prove done, and names what could.
func noGates(found []detect.Found) error {
	hint := `say how done is recognised: --until "COMMAND", or write gates into ralph.yaml: ralph init`
	if len(found) > 0 {
		var names []string
		for _, d := range found {
			names = append(names, fmt.Sprintf("--gate %s (%s)", d.Gate.Name, d.Gate.Run))
		}
		hint = "detected here: " + strings.Join(names, ", ") + "; or --until \"COMMAND\", or ralph init"
	}
	return &failure{code: exitConfig, err: loop.ErrNoHardGate, hint: hint}
}

// agent is the one that was named, the first configured one, or the first that
// is installed.
func (a *app) agent(p *project, f runFlags) (loop.Agent, error) {
	if f.agentCmd != "" {
		return loop.Agent{Name: firstWord(f.agentCmd), Use: "command", Argv: []string{f.agentCmd}, Shell: true}, nil
	}
	if file, ok := strings.CutPrefix(f.agent, "script:"); ok {
		return a.scripted("script", file)
	}
	name := f.agent
	if name == "" && len(p.settings.Settings.Agents) > 0 {
		name = p.settings.Settings.Agents[0].Name
	}
	if name == "" {
		return a.installed()
	}
	for _, g := range p.settings.Agents() {
		if g.Name == name && g.Use == "script" {
			return a.scripted(name, filepath.Join(p.repo.Root, filepath.FromSlash(g.Argv[0])))
		}
		if g.Name == name {
			return g, nil
		}
	}
	if name == "human" {
		return loop.Agent{Name: name, Use: "human"}, nil
	}
	if argv, ok := presets()[name]; ok {
		if _, err := proc.LookPath(argv[0]); err != nil {
			return loop.Agent{}, &failure{code: exitMissing, err: fmt.Errorf("agent %s is not installed", name), hint: "ralph doctor"}
		}
		return loop.Agent{Name: name, Use: "command", Argv: argv}, nil
	}
	return loop.Agent{}, usage("ralph doctor lists the agents", "there is no agent %q in ralph.yaml, and none of that name is known", name)
}

func (a *app) scripted(name, file string) (loop.Agent, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.Dir, file)
	}
	if _, err := os.Stat(file); err != nil {
		return loop.Agent{}, usage("name an existing scenario file", "read scenario: %s", errors.Unwrap(err))
	}
	return loop.Agent{Name: name, Use: "script", Argv: []string{file}}, nil
}

// installed is the first known agent on PATH; there is no other fallback.
func (a *app) installed() (loop.Agent, error) {
	for _, name := range presetNames() {
		if argv := presets()[name]; a.onPath(argv[0]) {
			return loop.Agent{Name: name, Use: "command", Argv: argv}, nil
		}
	}
	return loop.Agent{}, &failure{code: exitMissing,
		err:  fmt.Errorf("no coding agent found: looked for %s on PATH, and for agents in ralph.yaml", strings.Join(presetNames(), ", ")),
		hint: "install one, or use any command that reads a prompt: --agent-cmd 'my-agent'; to see ralph without an agent: ralph demo",
	}
}

func (a *app) onPath(name string) bool {
	_, err := proc.LookPath(name)
	return err == nil
}

// presets are the command lines of known agents: prompt on standard input,
// edits and shell commands inside the working directory by the agent's own
// allow-list, its other checks left on.
func presets() map[string][]string {
	return map[string][]string{
		"claude":   {"claude", "-p", "--permission-mode", "dontAsk", "--allowedTools", "Bash,Edit,Write,Read,Glob,Grep"},
		"codex":    {"codex", "exec", "--sandbox", "workspace-write", "-"},
		"gemini":   {"gemini", "--approval-mode", "auto_edit", "--skip-trust"},
		"opencode": {"opencode", "run"},
	}
}

func presetNames() []string { return []string{"claude", "codex", "gemini", "opencode"} }

// detected are the gates that the project's files suggest.
func (a *app) detected(p *project) []detect.Found {
	if p.repo.Root == "" {
		return nil
	}
	return detect.Scan(os.DirFS(p.repo.Root), proc.LookPath).Gates
}

// loopID is the asked-for id or one made of the task (seed 001: a slug of at
// most 30 characters and 8 hex digits).
func (a *app) loopID(task, asked string) (string, error) {
	if asked != "" {
		if err := loop.ValidID(asked); err != nil {
			return "", usage("--loop-id my-loop", "%v", err)
		}
		return asked, nil
	}
	b := make([]byte, 4)
	_, _ = rand.Read(b)
	return "ralph-" + slug(task, 30) + "-" + hex.EncodeToString(b), nil
}

func taskID(task string) string { return slug(task, 40) }

// slug makes a short name of any text; "task" where nothing is left of it.
func slug(text string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= most {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "task"
}

func firstWord(command string) string {
	if f := strings.Fields(command); len(f) > 0 {
		return path.Base(f[0])
	}
	return "command"
}

func (p *project) name() string {
	if n := string(p.settings.Settings.Project); n != "" {
		return n
	}
	return filepath.Base(p.root())
}

func (p *project) treeOrHome() string {
	if p.repo.Root != "" {
		return p.repo.Root
	}
	return p.repo.CommonDir
}
