package plugin

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// person has a home, a project, and the settings that a test gives them.
type person struct {
	t *testing.T
	Places
}

func someone(t *testing.T) person {
	t.Helper()
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	p := person{t, Places{
		Project: at("shop"), State: at("shop/.git/ralph"), Home: home, ClaudeDir: at(".claude"), CodexDir: at(".codex"), GeminiDir: at(".gemini"),
		Config: at(".config"), Data: at(".local/share"),
	}}
	p.write("shop/.git/HEAD", "x")
	return p
}

func (p person) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.Home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o640)); err != nil {
		p.t.Fatal(err)
	}
}

func (p person) plan(t Target, s Scope) Plan {
	p.t.Helper()
	plan, err := For(t, s, p.Places)
	if err != nil {
		p.t.Fatal(err)
	}
	return plan
}

// files are all files of a person with their modes and words.
func (p person) files() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(p.Home, path)
		out[rel] = info.Mode().String() + " " + string(data)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func must(t *testing.T, changes []Change, err error) map[string]string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, c := range changes {
		kinds[filepath.Base(c.Path)] = c.Kind
	}
	return kinds
}

// TestThereAndBack: whatever a person has, after install and uninstall it is
// what it was, byte for byte; in between, a second install changes nothing.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	places := map[string]func(p person){
		"nothing": func(person) {},
		"settings": func(p person) {
			for _, root := range []string{"", "shop/"} {
				p.write(root+".claude/settings.json", "{ // mine\r\n\t\"hooks\": {},\r\n\t\"model\": \"opus\", }")
				p.write(root+".codex/config.toml", "model = \"o3\"  # mine\n[sandbox_workspace_write]\nwritable_roots = [\n  \"/a\",\n]")
				p.write(root+".codex/hooks.json", "{}")
				p.write(root+".gemini/settings.json", "  ")
			}
			p.write("shop/.mcp.json", "{\"mcpServers\": {\"a\": {}}}\n")
			p.write("shop/opencode.jsonc", "{}")
			p.write("shop/AGENTS.md", "# Mine\n\n")
			p.write(".config/opencode/AGENTS.md", "no end")
		},
	}
	for name, has := range places {
		for _, target := range Targets() {
			for _, scope := range []Scope{Project, User} {
				t.Run(name+"/"+string(target)+"/"+string(scope), func(t *testing.T) {
					t.Parallel()
					p := someone(t)
					has(p)
					if target == AgentsMD && scope == User {
						_, err := For(target, scope, p.Places)
						if n, ok := errors.AsType[*NotHereError](err); !ok || n.Hint == "" {
							t.Errorf("planned all the same: %v", err)
						}
						return
					}
					before := p.files()
					changes, err := Install(p.plan(target, scope), true)
					must(t, changes, err)
					if d := cmp.Diff(before, p.files()); d != "" {
						t.Fatalf("trying it changed: %s", d)
					}
					changes, err = Install(p.plan(target, scope), false)
					must(t, changes, err)
					with := p.files()
					if cmp.Equal(before, with) {
						t.Fatal("nothing happened")
					}
					changes, err = Install(p.plan(target, scope), false)
					for file, kind := range must(t, changes, err) {
						if kind != "unchanged" {
							t.Errorf("a second time %s is %s", file, kind)
						}
					}
					if d := cmp.Diff(with, p.files()); d != "" {
						t.Fatalf("a second time changed: %s", d)
					}
					changes, err = Uninstall(p.plan(target, scope), true)
					must(t, changes, err)
					if d := cmp.Diff(with, p.files()); d != "" {
						t.Fatalf("trying it changed: %s", d)
					}
					changes, err = Uninstall(p.plan(target, scope), false)
					must(t, changes, err)
					if d := cmp.Diff(before, p.files()); d != "" {
						t.Errorf("not what it was: %s", d)
					}
					changes, err = Uninstall(p.plan(target, scope), false)
					must(t, changes, err)
				})
			}
		}
	}
}

// TestNothingElse: no file outside of the places that the plan names is made.
func TestNothingElse(t *testing.T) {
	t.Parallel()
	for scope, roots := range map[Scope][]string{
		Project: {"shop/.claude/", "shop/.mcp.json", "shop/.codex/", "shop/.gemini/", "shop/opencode.json", "shop/AGENTS.md", "shop/.git/HEAD"},
		User:    {".claude/settings.json", ".local/share/ralph/claude/", ".codex/", ".gemini/settings.json", ".config/opencode/", "shop/.git/HEAD"},
	} {
		p := someone(t)
		for _, target := range Targets() {
			if plan, err := For(target, scope, p.Places); err == nil {
				changes, err := Install(plan, false)
				must(t, changes, err)
			}
		}
		for name := range p.files() {
			ok := false
			for _, r := range roots {
				ok = ok || strings.HasPrefix(name, r)
			}
			if !ok {
				t.Errorf("%s: %s", scope, name)
			}
		}
		if info, err := os.Stat(p.State); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder that the sandbox is told of: %v %v", info, err)
		}
	}
}

// TestAllOrNothing: a file that cannot be parsed keeps the others as they are.
func TestAllOrNothing(t *testing.T) {
	t.Parallel()
	p := someone(t)
	p.write("shop/.mcp.json", "{\n  oh\n}\n")
	before := p.files()
	_, err := Install(p.plan(Claude, Project), false)
	f, ok := errors.AsType[*FileError](err)
	if !ok || filepath.Base(f.Path) != ".mcp.json" || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
	if d := cmp.Diff(before, p.files()); d != "" {
		t.Error(d)
	}
}

// TestBackup: the copy is of the file before the first change, and stays that.
func TestBackup(t *testing.T) {
	t.Parallel()
	p := someone(t)
	p.write("shop/.mcp.json", "{}")
	changes, err := Install(p.plan(Claude, Project), false)
	must(t, changes, err)
	backup := filepath.Join(p.Project, ".mcp.json"+backupSuffix)
	if i := 1; changes[i].Backup != backup {
		t.Errorf("told of %q", changes[i].Backup)
	}
	p.write("shop/.mcp.json", `{"mine": 1}`)
	changes, err = Install(p.plan(Claude, Project), false)
	must(t, changes, err)
	if got, err := os.ReadFile(backup); err != nil || string(got) != "{}" {
		t.Errorf("the copy is %q, %v", got, err)
	}
	changes, err = Uninstall(p.plan(Claude, Project), false)
	must(t, changes, err)
	if got := p.files()["shop/.mcp.json"]; got != `-rw-r----- {"mine": 1}` {
		t.Errorf("left %q", got)
	}
	if _, err := os.Stat(backup); err == nil {
		t.Error("the copy is still there")
	}
}

// TestLinks: a link is followed, but not out of the folder it is in.
func TestLinks(t *testing.T) {
	t.Parallel()
	p := someone(t)
	p.write("shop/CLAUDE.md", "# Mine\n")
	p.write("elsewhere/settings.json", "{}")
	for name, to := range map[string]string{
		"shop/AGENTS.md": "CLAUDE.md", "shop/.mcp.json": "../elsewhere/settings.json", "shop/.gemini": "../elsewhere", "shop/opencode.json": "nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(p.Home, name)); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := Install(p.plan(AgentsMD, Project), false)
	must(t, changes, err)
	if info, err := os.Lstat(filepath.Join(p.Project, "AGENTS.md")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
	if !strings.Contains(p.files()["shop/CLAUDE.md"], begin) {
		t.Error("the file behind the link was not changed")
	}
	for target, says := range map[Target]string{Claude: "link out of", Gemini: "link out of", OpenCode: "link to nowhere"} {
		if _, err := Install(p.plan(target, Project), false); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", target, err)
		}
	}
	if got := p.files()["elsewhere/settings.json"]; !strings.HasSuffix(got, " {}") {
		t.Errorf("written outside: %s", got)
	}
}

// TestMeanwhile: a file that somebody writes between look and write is theirs.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	p := someone(t)
	p.write("shop/.mcp.json", "{}")
	plan := p.plan(Claude, Project)
	changes, err := Install(plan, true)
	must(t, changes, err)
	p.write("shop/.mcp.json", `{"mine": 1}`)
	p.write("shop/.claude/settings.json", `{"mine": 2}`)
	for _, c := range changes {
		if err := c.write(); err == nil || !strings.Contains(err.Error(), "meanwhile") {
			t.Errorf("%s: %v", c.Path, err)
		}
	}
	if got := p.files(); !strings.Contains(got["shop/.mcp.json"], "mine") || !strings.Contains(got["shop/.claude/settings.json"], "mine") {
		t.Errorf("%v", got)
	}
}

// TestOlderPlugin: what an older ralph had put into its own folder goes.
func TestOlderPlugin(t *testing.T) {
	t.Parallel()
	p := someone(t)
	p.write(".local/share/ralph/claude/plugin/commands/older.md", "x")
	p.write(".local/share/ralph/claude/plugin/commands/start.md", "older words")
	before := len(p.files())
	changes, err := Install(p.plan(Claude, User), false)
	kinds := must(t, changes, err)
	if kinds["older.md"] != "removed" || kinds["start.md"] != "changed" {
		t.Errorf("%v", kinds)
	}
	for name := range p.files() {
		if strings.HasSuffix(name, backupSuffix) {
			t.Errorf("a copy of ralph's own file: %s", name)
		}
	}
	changes, err = Uninstall(p.plan(Claude, User), false)
	must(t, changes, err)
	if got := p.files(); len(got) >= before {
		t.Errorf("left: %v", got)
	}
}

// TestOutside: without a repository there is no project, and no state for a
// sandbox.
func TestOutside(t *testing.T) {
	t.Parallel()
	p := someone(t)
	p.Project, p.State = "", ""
	for _, target := range Targets() {
		if _, err := For(target, Project, p.Places); err == nil {
			t.Errorf("%s has a project", target)
		}
	}
	plan := p.plan(Codex, User)
	changes, err := Install(plan, false)
	must(t, changes, err)
	if got := p.files()[".codex/config.toml"]; strings.Contains(got, sandbox) || !strings.Contains(got, "mcp_servers") || !strings.Contains(strings.Join(plan.Notes, " "), "each repository") {
		t.Errorf("%s %v", got, plan.Notes)
	}
	if _, err := Known("cursor"); err == nil || !strings.Contains(err.Error(), "agents-md") {
		t.Errorf("%v", err)
	}
}
