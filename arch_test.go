package ralph_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rule is one sentence of the architecture: packages in (by prefix) import
// nothing of not, except what but lists.
type rule struct {
	in     []string
	not    []string
	but    []string
	reason string
}

const own = "ralph/internal/"

// rules are the architecture (ARCHITECTURE.md) as a table.
var rules = []rule{
	{
		in: pure, not: []string{"os", "net", "io/fs", "log", "math/rand", "context", "os/exec", "os/signal", "syscall"},
		reason: "what decides or writes words is pure: time and facts arrive in its arguments",
	},
	{
		in: pure, not: []string{own},
		but:    []string{own + "text", own + "loop", own + "journal", own + "view", own + "prompt", own + "learn", own + "lazyregexp", own + "plan", own + "planfile", own + "scope", own + "recovery", own + "money", own + "next", own + "proof", own + "secret", own + "notice"},
		reason: "the core knows no adapter, no storage and no front end",
	},
	{
		in: []string{"internal/loop"}, not: []string{own}, but: []string{own + "lazyregexp", own + "journal"},
		reason: "the machine imports nothing of ours: the same decisions serve every engine",
	},
	{
		in: adapters, not: []string{own + "store", own + "engine", own + "config", own + "cli", own + "view", own + "prompt", own + "detect"},
		but:    []string{own + "text", own + "prompt/fence"},
		reason: "an adapter does what it is told and reports what happened; it knows no storage and no front end",
	},
	{
		in: []string{"internal/store"}, not: []string{own}, but: []string{own + "cadence", own + "durable", own + "text", own + "loop", own + "journal", own + "learn", own + "recovery", own + "money", own + "plan", own + "store", own + "lazyregexp", own + "next", own + "notice", own + "shelf"},
		reason: "storage keeps what the machine decided and calls no adapter",
	},
	{
		in: []string{"internal/engine"}, not: []string{own + "cli", own + "config", own + "view", own + "detect"},
		reason: "an engine serves front ends and does not know them",
	},
	{
		in: []string{"internal/engine/planner"}, not: []string{own + "store", own + "engine/local", own + "engine/stored", own + "engine/situation"},
		reason: "plans run on any engine.PlanStore; which one it is, the command line knows",
	},
	{
		in: []string{"internal/engine/merge"}, not: []string{own}, but: []string{own + "engine", own + "git", own + "loop"},
		reason: "the work of loops and plans is merged in one way; what the run is and which gates judge it, its caller knows",
	},
	{
		in: []string{"internal/engine/runner"}, not: []string{own + "store", own + "engine/local", own + "engine/stored", own + "engine/situation"},
		but:    []string{own + "store/limits"},
		reason: "a loop runs under any engine.LoopLease; which store granted it, the engine knows",
	},
	{
		in: []string{"internal/config", "internal/detect"}, not: []string{own}, but: []string{own + "text", own + "lazyregexp", own + "loop", own + "recovery", own + "money", own + "config", own + "detect", own + "quiet", own + "notice"},
		reason: "configuration is read, not acted on",
	},
	{
		in: []string{"internal/kept"}, not: []string{own}, but: []string{own + "durable"},
		reason: "files of loops that have ended are read everywhere: the package knows paths and nothing of loops",
	},
	{
		in: []string{"internal/shelf"}, not: []string{own},
		reason: "a shelf compares and sets documents; what they say is decided elsewhere",
	},
	{
		in: []string{"internal/trust"}, not: []string{own}, but: []string{own + "durable", own + "lazyregexp"},
		reason: "what a person allowed is kept apart from what asks for it",
	},
	{
		in: []string{"internal/schema"}, not: []string{own, "os", "net", "context"}, but: []string{own + "loop"},
		reason: "a schema is made of a type; which types there are, the command line knows",
	},
	{
		in: []string{"internal/migrate"}, not: []string{own, "os", "net", "log", "math/rand", "context", "syscall"},
		but:    []string{own + "text", own + "loop", own + "lazyregexp"},
		reason: "state of other runners is read from an fs.FS that the caller has bounded, and nothing is done about it",
	},
	{
		in: []string{"internal/demo"}, not: []string{own}, but: []string{own + "loop", own + "plan"},
		reason: "the demo is files and what is announced of them; the command line plays it with the real engine",
	},
	{
		in: []string{"internal/plugin"}, not: []string{own}, but: []string{own + "durable"},
		reason: "what other programs are taught is files: it knows no loop, and what it writes is decided by its caller",
	},
	{
		in: frontEnds, not: []string{own}, but: []string{own + "text", own + "engine", own + "loop", own + "view", own + "next"},
		reason: "a front end asks the engine and shows the answer: it knows no adapter, no storage and no other front end",
	},
	{
		in: frontEnds, not: []string{own + "engine/local"},
		reason: "a front end knows no concrete engine",
	},
	{
		in: groups, not: []string{own + "cli"}, but: shared,
		reason: "command groups do not import each other: what two of them need is in the packages that they share",
	},
	{
		in: without(groups, "internal/cli/serve"), not: []string{own + "engine/local"},
		reason: "a command group knows no concrete engine; ralph serve is the one that names the local supervisor, and resume --crashed has it from foreground",
	},
	{
		in: without(without(groups, "internal/cli/watch"), "internal/cli/web"), not: []string{own + "mcp", own + "tui", own + "web"},
		reason: "a command group knows no other front end; only ralph watch shows the screen, and ralph web the pages",
	},
	{
		in: []string{
			"internal/cli/agentloop", "internal/cli/learn", "internal/cli/plugin",
			"internal/cli/resume", "internal/cli/status", "internal/cli/steer", "internal/cli/watch",
		}, not: []string{own},
		but: []string{
			own + "cli", own + "engine", own + "loop", own + "view", own + "next", own + "text", own + "learn", own + "plugin",
			own + "plan", own + "recovery", own + "tui", // resume reads the states of plans, watch shows the screen
			own + "git",                        // ralph plugin and the hooks find the repository
			own + "config", own + "lazyregexp", // ralph loop init checks flags as settings
			own + "durable", // the export of ralph learn
		},
		reason: "a front end asks the engine: it knows no store and no adapter. Beyond this, doctor examines all of them, migrate imports into the store, and init tries gates",
	},
	{
		in:     []string{"internal/cli/demo", "internal/cli/finish", "internal/cli/plan", "internal/cli/run", "internal/cli/serve", "internal/cli/web"},
		not:    []string{own + "store", own + "agent", own + "gate", own + "review", own + "sandbox"},
		reason: "these command groups prepare work or look at what is left of it, with git and processes; the engine keeps the store and runs agents and gates",
	},
	{
		in: []string{"internal/cli/command"}, not: []string{own},
		but:    []string{own + "cli/exit", own + "view", own + "text", own + "proc"},
		reason: "the terminal of a command knows no project",
	},
	{
		in: []string{""}, not: []string{"os/exec"}, but: nil,
		reason: "only internal/proc starts processes: all of them are supervised or bounded there",
	},
	{
		in: []string{""}, not: []string{"modernc.org/sqlite", "database/sql"},
		reason: "only internal/store speaks SQL",
	},
	{
		in: []string{""}, not: []string{"github.com/spf13/cobra"},
		reason: "only internal/cli knows the command line",
	},
	{
		in: []string{""}, not: []string{"github.com/modelcontextprotocol"},
		reason: "only internal/mcp speaks the Model Context Protocol",
	},
	{
		in: []string{""}, not: []string{"github.com/coder/acp-go-sdk"},
		reason: "only internal/agent/acp speaks the Agent Client Protocol",
	},
	{
		in: []string{""}, not: []string{"github.com/nicholas-fedor/shoutrrr", "github.com/gen2brain/beeep"},
		reason: "only internal/notify sends messages to people",
	},
	{
		in: []string{""}, not: []string{"charm.land", "github.com/charmbracelet"}, but: []string{"github.com/charmbracelet/x/ansi"},
		reason: "only internal/tui draws a screen: no other front end depends on a terminal",
	},
	{
		in: []string{""}, not: []string{"github.com/charmbracelet/x/ansi"},
		reason: "only internal/text and internal/tui measure text in columns",
	},
	{
		in: []string{""}, not: []string{"github.com/bluekeyes/go-gitdiff"},
		reason: "only internal/view reads diffs, to show them",
	},
	{
		in: []string{""}, not: []string{"go.temporal.io", "google.golang.org/grpc", "gocloud.dev", "ralph/temporal"},
		reason: "Temporal, object stores and what they need stay in the module temporal: ralph links nothing of them",
	},
	{
		in: []string{"temporal/entity", "temporal/store"}, not: []string{own},
		but:    []string{own + "engine", own + "journal", own + "loop", own + "plan", own + "shelf"},
		reason: "an engine's store knows the machines' states and no adapter, no front end and no other store",
	},
	{
		in: []string{"temporal/bucket"}, not: []string{own, "ralph/temporal", "go.temporal.io"},
		reason: "an object store keeps bytes by key: it knows neither loops nor the server",
	},
	{
		in: []string{"temporal/cmd"}, not: []string{own},
		but:    []string{own + "cli", own + "engine", own + "loop", own + "proc"},
		reason: "ralph-worker is the command line with one more engine: it adds nothing else",
	},
	{
		in: []string{"temporal/entity"}, not: []string{own, "ralph/temporal/store"},
		reason: "the workflow decides nothing about a run: a change of the machines may break no replay",
	},
	{
		in: []string{"internal/text"}, not: []string{own},
		reason: "every package may prepare text; text knows none of them",
	},
}

// The layers. Groups are the command groups; shared is what they have in common.
var (
	pure      = []string{"internal/loop", "internal/text", "internal/journal", "internal/prompt", "internal/view", "internal/next", "internal/learn", "internal/plan", "internal/planfile", "internal/scope", "internal/advise", "internal/recovery", "internal/money", "internal/review/ballot", "internal/proof", "internal/secret", "internal/quiet", "internal/notice"}
	adapters  = []string{"internal/proc", "internal/git", "internal/gate", "internal/agent", "internal/review", "internal/sandbox", "internal/notify"}
	frontEnds = []string{"internal/mcp", "internal/tui", "internal/web"}
	groups    = []string{
		"internal/cli/agentloop", "internal/cli/demo", "internal/cli/doctor", "internal/cli/finish", "internal/cli/learn", "internal/cli/migrate", "internal/cli/move", "internal/cli/notify", "internal/cli/plan",
		"internal/cli/plugin", "internal/cli/resume", "internal/cli/run", "internal/cli/serve", "internal/cli/setup", "internal/cli/status", "internal/cli/steer", "internal/cli/watch", "internal/cli/web", "internal/cli/worker",
	}
	shared = []string{own + "cli/command", own + "cli/exit", own + "cli/project", own + "cli/launch", own + "cli/runs", own + "cli/foreground", own + "cli/repositories"}
)

// exempt returns the packages that a rule for all packages does not bind.
func exempt(r rule) []string {
	switch r.not[0] {
	case "os/exec":
		return []string{"internal/proc"}
	case "modernc.org/sqlite":
		return []string{"internal/store"}
	case "github.com/spf13/cobra":
		return []string{"internal/cli"}
	case "github.com/modelcontextprotocol":
		return []string{"internal/mcp"}
	case "github.com/coder/acp-go-sdk":
		return []string{"internal/agent/acp"}
	case "github.com/charmbracelet/x/ansi":
		return []string{"internal/text", "internal/tui"}
	case "github.com/nicholas-fedor/shoutrrr":
		return []string{"internal/notify"}
	case "github.com/bluekeyes/go-gitdiff":
		return []string{"internal/view"}
	case "charm.land":
		return []string{"internal/tui"}
	case "go.temporal.io":
		return []string{"temporal"}
	}
	return nil
}

// TestModuleHasNoTemporal: the modules of a Temporal server and of object stores are
// requirements of the module temporal only.
func TestModuleHasNoTemporal(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"go.mod", "go.sum"} {
		for _, module := range []string{"go.temporal.io/", "gocloud.dev"} {
			if strings.Contains(read(t, file), module) {
				t.Errorf("%s names %s", file, module)
			}
		}
	}
}

// TestArchitecture reads the sources in this process: a test that asked the go
// command would be answered from the test cache after a violation elsewhere.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	for path, imports := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, r := range rules {
			if !within(dir, r.in) || within(dir, exempt(r)) {
				continue
			}
			for _, i := range imports {
				if under(i, r.not) && !under(i, r.but) && !within(strings.TrimPrefix(i, "ralph/"), samePackage(dir, r)) {
					t.Errorf("%s imports %s\n\t%s", path, i, r.reason)
				}
			}
		}
	}
}

// TestEngineIsAnAPI: package engine itself, unlike the packages below it, holds words
// and interfaces that any engine keeps; it knows no adapter and no storage. Package kept
// reads the files that engine.Layout names.
func TestEngineIsAnAPI(t *testing.T) {
	t.Parallel()
	known := []string{own + "durable", own + "journal", own + "kept", own + "learn", own + "loop", own + "money", own + "next", own + "plan", own + "recovery", own + "text"}
	for path, imports := range sources(t) {
		if filepath.ToSlash(filepath.Dir(path)) != "internal/engine" {
			continue
		}
		for _, i := range imports {
			if under(i, []string{own}) && !under(i, known) {
				t.Errorf("%s imports %s", path, i)
			}
		}
	}
}

// TestCoreHasNoClock: time arrives in events and arguments.
func TestCoreHasNoClock(t *testing.T) {
	t.Parallel()
	clock := regexp.MustCompile(`^(Now|Since|Until|After|AfterFunc|Tick|Sleep|NewTimer|NewTicker)$`)
	for path := range sources(t) {
		if !within(filepath.ToSlash(filepath.Dir(path)), pure) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || !clock.MatchString(s.Sel.Name) {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" {
				t.Errorf("%s uses time.%s: time arrives in events", path, s.Sel.Name)
			}
			return true
		})
	}
}

// TestLinterKnowsThePureCore: the linter forbids clocks in the same packages.
func TestLinterKnowsThePureCore(t *testing.T) {
	t.Parallel()
	names := make([]string, len(pure))
	for i, p := range pure {
		names[i] = strings.TrimPrefix(p, "internal/")
	}
	slices.Sort(names)
	if want := "internal/(" + strings.Join(names, "|") + ")/"; !strings.Contains(read(t, ".golangci.yml"), want) {
		t.Errorf(".golangci.yml forbids clocks in other packages than %s", want)
	}
}

// TestCommandGroupsAreDescribed: the overview and the package comment of the command
// line name each command group and each package that the groups share.
func TestCommandGroupsAreDescribed(t *testing.T) {
	t.Parallel()
	overview := read(t, "ARCHITECTURE.md")
	overview = overview[strings.Index(overview, "\n  cli "):]
	overview = overview[:strings.Index(overview, "\n  tui")]
	// Of each line below cli the names stand before the description.
	var names []string
	for _, line := range strings.Split(overview, "\n")[2:] {
		list, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
		names = append(names, strings.Fields(list)...)
	}
	comment := read(t, "internal/cli/doc.go")
	for _, p := range slices.Concat(groups, shared) {
		name := filepath.Base(p)
		if !slices.Contains(names, name) {
			t.Errorf("ARCHITECTURE.md does not name %s below cli", name)
		}
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(comment) {
			t.Errorf("internal/cli/doc.go does not name %s", name)
		}
	}
}

// samePackage: a package may import what is below it.
func samePackage(dir string, r rule) []string {
	for _, in := range r.in {
		if in != "" && within(dir, []string{in}) {
			return []string{in}
		}
	}
	return nil
}

func within(dir string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(parent string) bool {
		return parent == "" || dir == parent || strings.HasPrefix(dir, parent+"/")
	})
}

func without(list []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == one })
}

func under(path string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		return path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/")
	})
}

// sources returns the imports of each Go file of the product, without tests and
// the tools under internal/testing.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	tools := filepath.Join("internal", "testing")
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata" || path == tools) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		found[path] = []string{}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			found[path] = append(found[path], name)
		}
		return nil
	})
	if err != nil || len(found) < 20 {
		t.Fatalf("read the sources: %v (%d files)", err, len(found))
	}
	return found
}
