package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/durable"
	"ralph/internal/proc"
)

// unitMark is the first line of a unit that ralph wrote. Nothing without it is
// replaced or removed.
const unitMark = "# Written by ralph serve --install. Remove it with: ralph serve --uninstall\n"

// unit is a user unit of systemd.
type unit struct {
	name, path string
	text       []byte
}

// installUnit writes the unit and says what to type. It starts nothing: what
// runs after each boot is the person's decision.
func (a *Commands) installUnit(ctx context.Context, f serveFlags) error {
	u, err := a.unit(ctx, f)
	if err != nil {
		return err
	}
	have, err := os.ReadFile(u.path)
	if err == nil && !bytes.HasPrefix(have, []byte(unitMark)) {
		return exit.UsageError("look at it, and move it away", "%s is there, and not ralph's", u.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(u.path), 0o755); err != nil {
		return err
	}
	if len(have) > 0 && !bytes.Equal(have, u.text) {
		if err := os.WriteFile(u.path+".before", have, 0o644); err != nil {
			return err
		}
		a.Say("what stood there is kept as %s.before", u.path)
	}
	if err := durable.Replace(u.path, u.text, 0o644); err != nil {
		return err
	}
	return a.sayUnit(u, "wrote "+u.path+". Start it now and after each boot:", []string{
		"systemctl --user daemon-reload", "systemctl --user enable --now " + u.name,
		"loginctl enable-linger        # keep running when you log out",
	})
}

// uninstallUnit removes the unit, if it is ours.
func (a *Commands) uninstallUnit(ctx context.Context, f serveFlags) error {
	u, err := a.unit(ctx, f)
	if err != nil {
		return err
	}
	have, err := os.ReadFile(u.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return exit.UsageError("ralph serve --install writes it", "there is no %s", u.path)
	case err != nil:
		return err
	case !bytes.HasPrefix(have, []byte(unitMark)):
		return exit.UsageError("remove it by hand", "%s is not ralph's", u.path)
	}
	if err := os.Remove(u.path); err != nil {
		return err
	}
	return a.sayUnit(u, "removed "+u.path+". If it was enabled:", []string{
		"systemctl --user disable --now " + u.name, "systemctl --user daemon-reload",
	})
}

func (a *Commands) sayUnit(u unit, done string, next []string) error {
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.unit/v1", "name": u.name, "path": u.path, "next": next})
	}
	a.Say("%s", done)
	for _, line := range next {
		a.Print("  " + line)
	}
	return nil
}

// unit returns the unit for the repositories in the flags.
func (a *Commands) unit(ctx context.Context, f serveFlags) (unit, error) {
	if runtime.GOOS != "linux" {
		return unit{}, &exit.Error{Code: exit.Missing, Err: errors.New("there is no systemd on this system"), Hint: "let your system's own service manager run: ralph serve"}
	}
	self, err := proc.Self()
	if err != nil {
		return unit{}, err
	}
	name, what, args := "ralph-all", "every repository", []string{self, "serve", "--all"}
	if !f.all {
		if len(f.repos) > 1 {
			return unit{}, exit.UsageError("ralph serve --all --install", "a unit supervises one repository, or all of them")
		}
		own := a.runner.Copy()
		own.Dir = f.dirs(a)[0]
		p, err := own.Locate(ctx)
		if err != nil {
			return unit{}, err
		}
		name, what, args = "ralph-"+launch.Slug(filepath.Base(p.Root()), 30)+"-"+p.Hash(), p.Root(), []string{self, "-C", p.Root(), "serve"}
	}
	if a.TeamAddress != nil {
		name += "-team"
	}
	if f.listen != "" {
		args = append(args, "--listen", f.listen)
	}
	text, err := unitText(what, args, a.unitEnv())
	u := unit{name: name + ".service", text: text}
	u.path = filepath.Join(a.configHome(), "systemd", "user", u.name)
	return u, err
}

// unitText writes the unit. A loop is a process of its own: KillMode=process
// spares it when serve is stopped or replaced. Where the machine is shut down,
// loops are asked to end, and resumed after the next boot.
func unitText(what string, args, env []string) ([]byte, error) {
	words := make([]string, len(args))
	for i, arg := range slices.Concat(args, []string{what}, env) {
		if strings.ContainsFunc(arg, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, exit.UsageError("rename it", "a control character in %q cannot stand in a unit", arg)
		}
		if i < len(words) {
			words[i] = unitWord(arg)
		}
	}
	return fmt.Appendf(nil, `%s[Unit]
Description=ralph supervises the loops of %s

[Service]
ExecStart=%s
%s# Keys of your agents, as NAME=value lines:
EnvironmentFile=-%%h/.config/ralph/environment
KillMode=process
Restart=always
RestartSec=10
SuccessExitStatus=143

[Install]
WantedBy=default.target
`, unitMark, strings.ReplaceAll(what, "%", "%%"), strings.Join(words, " "), unitSettings(env)), nil
}

// unitEnv is what decides where ralph finds its programs, its state, and the runs of a
// team: a unit's own environment is nearly empty.
func (a *Commands) unitEnv() []string {
	out := []string{"PATH=" + a.Getenv("PATH")}
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", project.TeamVariable, project.CodecVariable} {
		if v := a.Getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return out
}

func unitSettings(env []string) string {
	var b strings.Builder
	for _, kv := range env {
		fmt.Fprintf(&b, "Environment=%s\n", strings.ReplaceAll(unitWord(kv), "$$", "$"))
	}
	return b.String()
}

// unitWord quotes a word for systemd, which expands %% and, in commands, $.
func unitWord(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(s) + `"`
}

func (a *Commands) configHome() string {
	if dir := a.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(a.Getenv("HOME"), ".config")
}
