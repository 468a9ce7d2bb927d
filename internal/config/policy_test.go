package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestEveryKeyHasAPolicy: a new key is decided on purpose. Until then it is treated
// as the strictest: the user's value stays, and a person is asked.
func TestEveryKeyHasAPolicy(t *testing.T) {
	t.Parallel()
	for _, k := range Keys() {
		p, ok := policies()[k.Path]
		if !ok {
			t.Errorf("%s has no policy: add it to policies, in policy.go", k.Path)
		}
		if (p.order == nil) != (p.free != "") {
			t.Errorf("%s is free without a reason, or has a reason and an order", k.Path)
		}
	}
	if p := policyOf("gates.a.b.never"); p.order == nil || p.asks(nil) != Opens {
		t.Error("an unknown key is not treated as the strictest")
	}
}

// choices are values of keys, the loosest first. The effective value is never
// before the user's.
var choices = map[string][]string{
	"limits.max_iterations":   {"9", "4", "2"},
	"limits.loop_timeout":     {"9h", "2h", "30m"},
	"limits.stall":            {"off", "2h", "3m"},
	"limits.confirm_passes":   {"1", "2", "3"},
	"budget.task.money":       {"9 USD", "3 USD", "0.5 USD"},
	"budget.plan.tokens":      {"9M", "10k"},
	"budget.session.attempts": {"9", "1"},
	"budget.session.wall":     {"9h", "1m"},
	"plans.trust":             {"on", "off"},
	"plans.approve":           {"off", "review", "person"},
	"review.require":          {"off", "on"},
	"review.fallback":         {"self", "ask"},
	"gates_in":                {"agent", "gate"},
	"gates.test.level":        {"soft", "hard"},
	"gates.test.network":      {"on", "off"},
	"gates.test.optional":     {"on", "off"},
	"agents.claude.max_turns": {"99", "7"},
	"sandbox":                 {"off", "auto", "require", "bubblewrap"},
	"learn":                   {"on", "reviewed", "off"},
	"agents.claude.permissions": {
		"skip", "default",
	},
	"sandbox_write": {`["~/a", "~/b"]`, `["~/a"]`},
}

// fixed are values without an order: the user's own stays.
var fixed = map[string][]string{
	"gates.test.run":        {"go test ./...", "'true'", "./evil.sh"},
	"gates.test.env":        {"{A: b}", "{LD_PRELOAD: ./evil.so}"},
	"agents.claude.run":     {"[claude]", "[./evil.sh]"},
	"agents.claude.args":    {"[--a]", "[--b]"},
	"isolation.setup":       {"make", "./evil.sh"},
	"isolation.dir":         {"/a", "/b"},
	"prices.m.input":        {"3", "0"},
	"budget.on_spent":       {"stop", "pause"},
	"limits.on_usage_limit": {"wait", "switch"},
}

// TestProjectNeverLoosens: whatever both files say, no value in effect is looser
// than the one of the user's own file.
func TestProjectNeverLoosens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		user, project := file(t, "user"), file(t, "project")
		r, err := Resolve(Sources{User: &Source{Name: "config.yaml", Data: yamlOf(user)}, Project: &Source{Name: FileName, Data: yamlOf(project)}})
		if err != nil {
			t.Skip(err) // two drawn files that contradict each other: draw others
		}
		_, effective := leaves(&r.Settings)
		for key, text := range user {
			got, order := effective[key].String(), choices[key]
			want := valueOf(t, key, text)
			if fixed[key] != nil && got != want {
				t.Errorf("%s: %s, the user's is %s\nuser:\n%s\nproject:\n%s", key, got, want, yamlOf(user), yamlOf(project))
			}
			if order != nil && position(t, key, got) < position(t, key, want) {
				t.Errorf("%s: %s is looser than the user's %s", key, got, want)
			}
		}
	})
}

// TestProjectOnlyHidesMore: a project adds to what a sandbox hides. It neither drops an
// entry, the built-in ones included, nor makes an exception.
func TestProjectOnlyHidesMore(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ user, project, want string }{
		{"", "[]", "[defaults]"},
		{"", "[~/a]", `[defaults, "~/a"]`},
		{"", `["!~/.ssh"]`, "[defaults]"},
		{`[~/mine, "!~/.aws"]`, `[~/a, ~/mine, "!~/.aws", "!~/mine"]`, `["~/mine", "!~/.aws", "~/a"]`},
		{"[]", "[defaults]", "[defaults]"},
	} {
		src := Sources{Project: &Source{Name: FileName, Data: []byte("version: 1\nsandbox_hide: " + row.project + "\n")}}
		if row.user != "" {
			src.User = &Source{Name: "config.yaml", Data: []byte("version: 1\nsandbox_hide: " + row.user + "\n")}
		}
		r, err := Resolve(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := flow(r.Settings.Hide); got != row.want {
			t.Errorf("%s and %s: %s, want %s", row.user, row.project, got, row.want)
		}
	}
	r, err := Resolve(Sources{User: &Source{Name: "config.yaml", Data: []byte("version: 1\nsandbox_hide: []\n")}})
	if err != nil || len(r.Hidden()) > 0 {
		t.Errorf("an empty list hides %q (%v)", r.Hidden(), err)
	}
	for _, bad := range []string{"here", "/", "~/", "~", "'!defaults'", "'~/[a'", "$1"} {
		if _, err := Resolve(Sources{User: &Source{Name: "config.yaml", Data: []byte("version: 1\nsandbox_hide: [" + bad + "]\n")}}); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

// file chooses values for some of the keys.
func file(t *rapid.T, who string) map[string]string {
	out := map[string]string{"gates.test.run": "go test ./...", "agents.claude.use": "claude", "prices.m.input": "3", "prices.m.output": "3"}
	for _, set := range []map[string][]string{choices, fixed} {
		for _, key := range sortedKeys(set) {
			if rapid.Bool().Draw(t, who+" sets "+key) {
				out[key] = rapid.SampledFrom(set[key]).Draw(t, who+" "+key)
			}
		}
	}
	return out
}

func sortedKeys(m map[string][]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// yamlOf writes keys with dots as a YAML file.
func yamlOf(values map[string]string) []byte {
	tree := map[string]any{}
	for key, text := range values {
		at := tree
		parts := strings.Split(key, ".")
		for _, p := range parts[:len(parts)-1] {
			if at[p] == nil {
				at[p] = map[string]any{}
			}
			at = at[p].(map[string]any)
		}
		at[parts[len(parts)-1]] = text
	}
	return []byte("version: 1\n" + flowOf(tree, ""))
}

func flowOf(tree map[string]any, indent string) string {
	var b strings.Builder
	keys := make([]string, 0, len(tree))
	for k := range tree {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if inner, ok := tree[k].(map[string]any); ok {
			fmt.Fprintf(&b, "%s%s:\n%s", indent, k, flowOf(inner, indent+"  "))
			continue
		}
		fmt.Fprintf(&b, "%s%s: %s\n", indent, k, tree[k])
	}
	return b.String()
}

// valueOf is how a value prints itself.
func valueOf(t *rapid.T, key, text string) string {
	values := map[string]string{"gates.test.run": "x", "agents.claude.use": "claude", "prices.m.input": "3", "prices.m.output": "3"}
	values[key] = text
	r := &Resolved{Settings: *defaults(), origins: map[string]Origin{}}
	if errs := r.file(UserLayer, &Source{Name: "x", Data: yamlOf(values)}); len(errs) > 0 {
		t.Fatal(errs)
	}
	_, all := leaves(&r.Settings)
	return all[key].String()
}

func position(t *rapid.T, key, value string) int {
	i := slices.IndexFunc(choices[key], func(c string) bool { return valueOf(t, key, c) == value })
	if i < 0 {
		t.Fatalf("%s: %s is none of the values", key, value)
	}
	return i
}

// TestAUsersGateIsTheUsers: a project cannot weaken a gate or an agent of the
// user's through keys that the user left out.
func TestAUsersGateIsTheUsers(t *testing.T) {
	t.Parallel()
	r, err := Resolve(Sources{
		User:    &Source{Name: "config.yaml", Data: []byte("version: 1\ngates: {tests: {run: make test}}\nagents: {claude: {model: opus}}\nsandbox: require\nprotect: [a]\n")},
		Project: &Source{Name: FileName, Data: []byte("version: 1\ngates:\n  tests: {optional: on, level: soft, env: {A: b}, min_tests: 3}\n  more: {run: x}\nagents: {claude: {run: [./evil.sh], permissions: skip, model: haiku}}\nsandbox: off\nprotect: [b]\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, k := range r.Kept() {
		kept = append(kept, fmt.Sprintf("%s: %q, not %q of %s", k.Key, k.Value, k.Wanted, k.At))
	}
	want := []string{
		`agents.claude.run: "", not "[./evil.sh]" of ralph.yaml:5`,
		`agents.claude.model: "opus", not "haiku" of ralph.yaml:5`,
		`agents.claude.permissions: "", not "skip" of ralph.yaml:5`,
		`gates.tests.level: "", not "soft" of ralph.yaml:3`,
		`gates.tests.env: "", not "{A: b}" of ralph.yaml:3`,
		`gates.tests.optional: "", not "on" of ralph.yaml:3`,
		`protect: "[a]", not "[b]" of ralph.yaml:7`,
		`sandbox: "require", not "off" of ralph.yaml:6`,
	}
	if d := cmp.Diff(want, kept); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
	gates := r.Gates()
	if len(gates) != 2 || gates[0].Optional || gates[0].MinTests == nil || *gates[0].MinTests != 3 {
		t.Errorf("gates: %+v", gates)
	}
	if d := cmp.Diff(Globs{"a", "b"}, r.Settings.Protect); d != "" {
		t.Errorf("protect: %s", d)
	}
	if a := r.Agents()[0]; a.Model != "opus" || len(a.Argv) > 0 {
		t.Errorf("agent: %+v", a)
	}
}

// TestAsks: what runs, sends, opens or has a say in verdicts is named; what only bounds is
// not.
func TestAsks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, file, want string }{
		{"nothing", "limits: {max_iterations: 3}\nserve: {max_rescues: 3}", ""},
		{"verdicts", "sandbox: require\nprotect: [a]\nlearn: off\nreview: {require: on}", "rules learn=off; rules protect=[a]; rules review.require=on; rules sandbox=require"},
		{"gate", "gates: {t: {run: go test ./..., network: off, level: soft}}", "runs gates.t.run=go test ./...; rules gates.t.level=soft; rules gates.t.network=off"},
		{"set-up", "isolation: {setup: [npm ci], copy: [.env], dir: ../t}", "runs isolation.setup=[npm ci]; opens isolation.copy=[.env]; opens isolation.dir=../t"},
		{"agent", "agents: {x: {use: command, run: [./evil.sh], env: {MY_TOKEN: abc}}}", "runs agents.x.use=command; runs agents.x.run=[./evil.sh]; runs agents.x.env={MY_TOKEN: \"(set, not shown)\"}"},
		{"permissions", "agents: {claude: {permissions: skip}, codex: {permissions: default}}", "opens agents.claude.permissions=skip"},
		{"reviewer", "agents: {j: {use: api, provider: openai, model: m, base_url: 'http://x.example', key_env: GH_TOKEN}}", "runs agents.j.use=api; sends agents.j.provider=openai; sends agents.j.base_url=http://x.example; sends agents.j.key_env=GH_TOKEN"},
		{"sandbox", "sandbox: off\nsandbox_write: ['~/x']", "opens sandbox=off; opens sandbox_write=[\"~/x\"]"},
		{"plans", "plans: {trust: on}", "opens plans.trust=on"},
		{"prices", "prices: {m: {input: 0, output: 0}}", "opens prices.m.input=0; opens prices.m.output=0"},
		{"prompts", "prompt: {dir: p}", "runs prompt.dir=p"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			asks, err := Asks(&Source{Name: FileName, Data: []byte("version: 1\n" + row.file + "\n")})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range asks {
				got = append(got, fmt.Sprintf("%s %s=%s", a.Effect, a.Key, a.Value))
			}
			if d := cmp.Diff(row.want, strings.Join(got, "; ")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestAsksNameFiles: every part of an agent's command line that could be a file of
// the repository is looked at, whatever shell or option it hides in.
func TestAsksNameFiles(t *testing.T) {
	t.Parallel()
	asks, err := Asks(&Source{Name: FileName, Data: []byte("version: 1\nagents: {x: {use: command, run: \"FOO=1 sh -c './a.sh;b/c.py' <d.txt\", env: {NODE_OPTIONS: \"--require=./e.js\"}}}\nprompt: {dir: p}\ngates: {t: {run: ./not-this.sh}}\n")})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, a := range asks {
		words = append(words, a.Words...)
	}
	for _, want := range []string{"./a.sh", "b/c.py", "d.txt", "./e.js", "p/" + promptFile} {
		if !slices.Contains(words, want) {
			t.Errorf("%s is not among %q", want, words)
		}
	}
	if slices.Contains(words, "./not-this.sh") {
		t.Error("a gate's program is part of the judged work, not of what is allowed")
	}
}

// TestWordsOfInterpreters: what runs in another folder, or is found by an interpreter, is
// looked at too.
func TestWordsOfInterpreters(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		texts []string
		want  string
	}{
		{[]string{"cd tools && sh agent.sh"}, "tools/agent.sh"},
		{[]string{"cd tools; sh ./agent.sh"}, "tools/agent.sh"},
		{[]string{"sh", "-c", "cd -- a && cd b && ./agent.sh"}, "a/b/agent.sh"},
		{[]string{"(cd a && x); cd b && ./agent.sh"}, "b/agent.sh"},
		{[]string{"cd $PWD/tools && sh agent.sh"}, "tools/agent.sh"},
		{[]string{"sh $PWD/agent.sh"}, "./agent.sh"},
		{[]string{`sh "${PWD}/agent.sh"`}, "./agent.sh"},
		{[]string{"sh $(pwd)/agent.sh"}, "./agent.sh"},
		{[]string{"sh ./ag''ent.sh"}, "./agent.sh"},
		{[]string{`sh ./ag\ent.sh`}, "./agent.sh"},
		{[]string{"sh $PWD/agent.sh"}, "PWD/agent.sh"},
		{[]string{"python3 -m mod"}, "mod.py"},
		{[]string{"python3", "-m", "pkg.sub"}, "pkg/sub/__main__.py"},
		{[]string{"python3 -m pkg.sub"}, "pkg/__init__.py"},
		{[]string{"python3 -mmod"}, "mod.py"},
		{[]string{"cd lib && /usr/bin/python3.12 -m mod"}, "lib/mod.py"},
		{[]string{"python3 tools"}, "tools/__main__.py"},
		{[]string{"node ."}, "index.js"},
		{[]string{"node ."}, "package.json"},
		{[]string{"node tools/agent"}, "tools/agent.js"},
		{[]string{"FOO=1 sh -c './a.sh;b/c.py' <d.txt"}, "b/c.py"},
	} {
		if got := shellWords(row.texts...); !slices.Contains(got, row.want) {
			t.Errorf("%q: %s is not among %q", row.texts, row.want, got)
		}
	}
	if got := shellWords(strings.Repeat("cd a", 100) + strings.Repeat(" cd b cd c", 1000)); len(got) > 1_000_000 {
		t.Errorf("%d words", len(got))
	}
	if got := shellWords("claude --print ."); slices.Contains(got, "package.json") {
		t.Error("every project file counts although no interpreter is named")
	}
}

// TestProjectAgent: an agent needs consent where the project's file alone names it and
// decides what it runs, sends or opens.
func TestProjectAgent(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, user, project string
		want                bool
	}{
		{"run", "", "agents: {claude: {run: /clone/tool}}", true},
		{"args", "", "agents: {claude: {args: [--mcp-config, evil.json]}}", true},
		{"env", "", "agents: {claude: {env: {PATH: ./evil}}}", true},
		{"permissions", "", "agents: {claude: {permissions: skip}}", true},
		{"a reviewer", "", "agents: {claude: {use: api, provider: openai, model: m}}", true},
		{"a limit", "", "agents: {claude: {max_turns: 3, stall: 3m}}", false},
		{"another agent", "", "agents: {claude.x: {use: command, run: [./evil.sh]}}", false},
		{"the user's own", "agents: {claude: {run: /bin/mine}}", "agents: {claude: {run: /clone/tool, env: {A: b}}}", false},
		{"the user's own, equal", "agents: {claude: {run: /bin/mine}}", "agents: {claude: {run: /bin/mine}}", false},
		{"none", "", "limits: {max_iterations: 3}", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r, err := Resolve(Sources{
				User:    &Source{Name: "config.yaml", Data: []byte("version: 1\n" + row.user + "\n")},
				Project: &Source{Name: FileName, Data: []byte("version: 1\n" + row.project + "\n")},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.ProjectAgent("claude"); got != row.want {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
}

// TestWritableAsked: folders that the project file alone wants to write are not the user's.
func TestWritableAsked(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		user, project, env string
		want               bool
	}{
		{"", "", "", false},
		{"", "[~/a]", "", true},
		{"[~/a, ~/b]", "[~/a]", "", false},
		{"[~/b]", "[~/a]", "", false},
		{"[~/a]", "", "", false},
		{"", "[~/a]", "[~/a]", false},
	} {
		file := func(name, list string) *Source {
			if list != "" {
				list = "sandbox_write: " + list + "\n"
			}
			return &Source{Name: name, Data: []byte("version: 1\n" + list)}
		}
		src := Sources{User: file("config.yaml", row.user), Project: file(FileName, row.project)}
		if row.env != "" {
			src.Env = []string{"RALPH_SANDBOX_WRITE=" + row.env}
		}
		r, err := Resolve(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.WritableAsked(); got != row.want {
			t.Errorf("user %s, project %s, variable %s: %v", row.user, row.project, row.env, got)
		}
	}
}
