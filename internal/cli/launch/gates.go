package launch

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/detect"
	"ralph/internal/gate"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/scope"
)

// Gates are those of --until, of --gate, or the configured ones. With neither
// there is nothing that could prove the task done.
func Gates(a *project.Opener, p *project.Project, f Flags) ([]loop.Gate, error) {
	if len(f.Until) > 0 {
		sayEmpty(a, f.Until)
		return UntilGates(f.Until, p.Repo.Prefix)
	}
	have := p.Settings.Gates()
	if len(f.Gates) == 0 && len(have) > 0 {
		return have, nil
	}
	if f.TasksProve {
		return have, nil
	}
	found := detected(p)
	if len(f.Gates) == 0 {
		return nil, noGates(found, p.Repo.Root)
	}
	for _, d := range found {
		if !slices.ContainsFunc(have, func(g loop.Gate) bool { return g.Name == d.Gate.Name }) {
			have = append(have, d.Gate)
		}
	}
	flags := make([]config.GateFlag, len(f.Gates))
	for i, text := range f.Gates {
		flag, err := config.ParseGateFlag(text)
		if err != nil {
			return nil, err
		}
		if flag.Scoped && len(f.Scope) == 0 {
			return nil, exit.UsageError("--gate "+text+" --scope 'internal/auth/**'", "--gate %s: no --scope says which files count", text)
		}
		flags[i] = flag
	}
	return config.SelectGates(have, flags)
}

func UntilGates(commands []string, dir string) ([]loop.Gate, error) {
	out := make([]loop.Gate, len(commands))
	for i, c := range commands {
		if strings.TrimSpace(c) == "" {
			return nil, exit.UsageError(`--until "go test ./..."`, "--until is empty")
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

// sayEmpty names commands that succeed whatever the work is.
func sayEmpty(a *project.Opener, commands []string) {
	for _, c := range commands {
		if slices.Contains([]string{"true", ":", "/bin/true", "/usr/bin/true", "exit", "exit 0", "echo"}, strings.TrimSpace(c)) {
			a.Note("--until %q always succeeds, whatever the agent does: it proves nothing", c)
		}
	}
}

// noGates refuses a loop that nothing could prove done, and names what could: ralph init
// writes no file over one that is there.
func noGates(found []detect.Found, root string) error {
	other := `--until "COMMAND", or write gates into ralph.yaml: ralph init`
	if _, err := os.Stat(filepath.Join(root, config.FileName)); err == nil && root != "" {
		other = `--until "COMMAND", or add the key gates to ralph.yaml, such as gates: {tests: {run: COMMAND}}`
	}
	hint := "say how done is recognised: " + other
	if len(found) > 0 {
		var names []string
		for _, d := range found {
			name := "--gate " + d.Gate.Name
			if d.Gate.Run != "" {
				name += " (" + d.Gate.Run + ")"
			}
			names = append(names, name)
		}
		hint = "detected here: " + strings.Join(names, ", ") + "; or " + other
	}
	return &exit.Error{Code: exit.Config, Err: loop.ErrNoHardGate, Hint: hint}
}

// detected are the gates that the project's files suggest.
func detected(p *project.Project) []detect.Found {
	if p.Repo.Root == "" {
		return nil
	}
	return detect.Scan(os.DirFS(p.Repo.Root), proc.LookPath).Gates
}

// checkGlobs refuses globs of a flag that could never match a file of the repository.
func checkGlobs(flag string, globs []string) error {
	for _, g := range globs {
		if !scope.Valid(g) {
			return exit.UsageError(flag+" 'internal/auth/**'", "%s %s: write a glob of files in the repository", flag, g)
		}
	}
	return nil
}

// CheckFiles checks the globs of --scope and --may-change.
func CheckFiles(scoped, mayChange []string) error {
	if err := checkGlobs("--scope", scoped); err != nil {
		return err
	}
	return checkGlobs("--may-change", mayChange)
}

func GateLine(g loop.Gate) string {
	if g.Run == "" {
		return "images in " + g.Images
	}
	return g.Run
}

// DrivenGates are the gates of a loop that its agent drives: the commands of --until,
// the named gates, or every configured one that is not hidden from agents.
func DrivenGates(a *project.Opener, p *project.Project, f Flags, threshold string) ([]loop.Gate, error) {
	named := len(f.Gates) > 0
	if threshold != "" {
		gates, err := withFloor(f.Gates, threshold)
		if err != nil {
			return nil, err
		}
		f.Gates = gates
	}
	found, err := Gates(a, p, f)
	if err == nil {
		found, err = visible(a, found, named)
	}
	if err != nil {
		return nil, err
	}
	for _, g := range found {
		if g.Baseline {
			return nil, exit.UsageError("--gate "+g.Name+"=80", "gate %s compares with the value at the start, which is not measured here; give a number", g.Name)
		}
	}
	return found, nil
}

// withFloor returns the one gate that --threshold is the floor of, with it.
func withFloor(gates []string, threshold string) ([]string, error) {
	if n, err := strconv.ParseFloat(threshold, 64); err != nil || math.IsNaN(n) || n < 0 || n > 100 {
		return nil, exit.UsageError("--threshold 80", "--threshold %s: use a number from 0 to 100", threshold)
	}
	if len(gates) != 1 || strings.Contains(gates[0], "=") {
		return nil, exit.UsageError("--gate coverage=80 --gate tests", "--threshold needs the one --gate that it is the floor of")
	}
	return []string{gates[0] + "=" + threshold}, nil
}

// GateNames are the names that --gate takes here.
func GateNames(p *project.Project) []string {
	var names []string
	for _, g := range p.Settings.Gates() {
		names = append(names, g.Name)
	}
	for _, d := range detected(p) {
		names = append(names, d.Gate.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// OtherGates are the commands of the configured gates that are not among those of a loop. An
// agent must not hear of hidden ones.
func OtherGates(p *project.Project, own []loop.Gate) (commands []string) {
	for _, g := range p.Settings.Gates() {
		if g.Run != "" && !g.Hidden && !slices.ContainsFunc(own, func(o loop.Gate) bool { return o.Run == g.Run }) {
			commands = append(commands, g.Run)
		}
	}
	return commands
}
