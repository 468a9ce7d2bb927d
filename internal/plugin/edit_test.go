package plugin

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files")

// claudeHooks is what a project's settings for Claude Code get.
func claudeHooks(t interface{ Fatal(...any) }) merged {
	entries, err := hookEntries(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return merged{entries}
}

func codexTables() tables { return tables{tools(), "/home/nina/shop/.git/ralph"} }

// ways are the edits, each with files that people really have.
func ways(t interface{ Fatal(...any) }) map[string]edit {
	return map[string]edit{
		"hooks":   claudeHooks(t),
		"servers": merged{[]entry{{path: []string{"mcpServers", "ralph"}, value: tools()}}},
		"toml":    codexTables(),
		"block":   block{agentsText},
	}
}

// TestGoldens: testdata/WAY/NAME is a file, NAME.with the same with ralph in it.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for way, e := range ways(t) {
		names, err := filepath.Glob("testdata/" + way + "/*.in")
		if err != nil || len(names) < 4 {
			t.Fatalf("%s: %v %v", way, names, err)
		}
		for _, name := range names {
			t.Run(way+"/"+filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				old, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				got, kept, err := e.add(old)
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range kept {
					got = append(got, "=== kept: "+k+"\n"...)
				}
				golden := strings.TrimSuffix(name, ".in") + ".with"
				if *update {
					if err := os.WriteFile(golden, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(want), string(got)); d != "" {
					t.Error(d)
				}
				if !bytes.Contains(old, []byte(begin)) {
					holds(t, e, old)
				}
			})
		}
	}
}

// holds checks the promises of an edit for one file: nothing is lost, a second
// time changes nothing, and what is taken out leaves what was there.
func holds(t interface {
	Helper()
	Fatalf(string, ...any)
}, e edit, old []byte,
) {
	t.Helper()
	text, kept, err := e.add(old)
	if err != nil {
		t.Fatalf("add to %q: %v", old, err)
	}
	if !stillIn(old, text) {
		t.Fatalf("something was lost:\n%s\nbecame\n%s", old, text)
	}
	again, _, err := e.add(text)
	if err != nil || !bytes.Equal(again, text) {
		t.Fatalf("a second time changed it (%v):\n%s\nbecame\n%s", err, text, again)
	}
	if len(kept) > 0 {
		return
	}
	left, kept, err := e.remove(text, old)
	if err != nil || len(kept) > 0 {
		t.Fatalf("remove from\n%s\n%v %v", text, kept, err)
	}
	if d := cmp.Diff(meaning(e, old), meaning(e, left)); d != "" {
		t.Fatalf("not what it was: %s\n%s\nbecame\n%s\nthen\n%s", d, old, text, left)
	}
	// Only space may differ.
	if d := cmp.Diff(strings.Join(strings.Fields(string(old)), ""), strings.Join(strings.Fields(string(left)), "")); d != "" && len(bytes.TrimSpace(bare(old))) > 0 {
		t.Fatalf("not what it was: %s\n%q\nbecame\n%q\nthen\n%q", d, old, text, left)
	}
}

// stillIn: all bytes of a stand in b, in their order.
func stillIn(a, b []byte) bool {
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// meaning is what a program reads in a file.
func meaning(e edit, text []byte) any {
	var v any
	switch e.(type) {
	case merged:
		std, err := hujson.Standardize(bytes.Clone(bare(text)))
		if err == nil {
			err = json.Unmarshal(std, &v)
		}
		if err != nil || len(bytes.TrimSpace(text)) == 0 {
			return map[string]any{}
		}
	case tables:
		m := map[string]any{}
		if toml.Unmarshal(text, &m) != nil {
			return "not to be parsed"
		}
		return m
	default:
		return strings.TrimSpace(string(text))
	}
	return v
}

// TestEveryFile: the promises hold for any file that can be parsed.
func TestEveryFile(t *testing.T) {
	t.Parallel()
	t.Run("json", rapid.MakeCheck(func(t *rapid.T) {
		w := writer{t: t, nl: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "nl"), unit: rapid.SampledFrom([]string{"", "  ", "\t", "    "}).Draw(t, "unit")}
		text := w.space(0) + w.object(0, []string{"hooks", "mcpServers", "model", "a b"}, 0) + w.space(0)
		if rapid.Bool().Draw(t, "mark") {
			text = "\xef\xbb\xbf" + text
		}
		for _, way := range []string{"hooks", "servers"} {
			holds(t, ways(t)[way], []byte(text))
		}
	}))
	t.Run("toml", rapid.MakeCheck(func(t *rapid.T) {
		text := tomlFile(t)
		if toml.Unmarshal([]byte(text), &map[string]any{}) != nil {
			t.Skip("no TOML")
		}
		if _, _, err := codexTables().add([]byte(text)); err != nil {
			if !strings.Contains(err.Error(), "by hand") && !strings.Contains(err.Error(), "touching") {
				t.Fatalf("%v\n%s", err, text)
			}
			return
		}
		holds(t, codexTables(), []byte(text))
	}))
	t.Run("block", rapid.MakeCheck(func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "# A\n", "# A\r\n\r\ntext", "a\n\n", "\n", "no end", "\n\n\n"}).Draw(t, "text")
		holds(t, block{agentsText}, []byte(text))
	}))
}

// writer writes JSON as people do, with comments and commas where they like.
type writer struct {
	t        *rapid.T
	nl, unit string
}

func (w writer) pick(of ...string) string { return rapid.SampledFrom(of).Draw(w.t, "pick") }

func (w writer) space(depth int) string {
	return w.pick("", "", " ", w.nl, w.nl+strings.Repeat(w.unit, depth), " /* c, } */ ", " // it's \"c\""+w.nl, w.nl+w.nl+"\t")
}

func (w writer) object(depth int, names []string, level int) string {
	return w.list("{", "}", depth, rapid.IntRange(0, len(names)).Draw(w.t, "members"), func(i int) string {
		value := w.value(depth+1, level+1)
		switch names[i] {
		case "hooks":
			value = w.object(depth+1, []string{"Stop", "SessionStart", "Other"}, 1)
		case "Stop", "SessionStart":
			value = w.list("[", "]", depth+1, rapid.IntRange(0, 3).Draw(w.t, "groups"), func(int) string { return w.value(depth+2, 2) })
		case "mcpServers":
			value = w.object(depth+1, []string{"other"}, 2)
		}
		return fmt.Sprintf("%q%s:%s%s", names[i], w.pick("", " "), w.pick("", " "), value)
	})
}

func (w writer) value(depth, level int) string {
	if level > 2 {
		return w.pick("1", `"x, // y"`, "true", "null", `"\"}"`)
	}
	return w.pick("1", `"#"`, `{"k": [1, 2]}`, "{}", "[]", w.list("[", "]", depth, 2, func(int) string { return w.value(depth+1, level+1) }))
}

func (w writer) list(open, shut string, depth, n int, item func(int) string) string {
	var b strings.Builder
	b.WriteString(open)
	for i := range n {
		b.WriteString(w.space(depth+1) + item(i) + w.space(depth))
		if i < n-1 || w.pick("", "", ",") == "," {
			b.WriteString(",")
		}
	}
	b.WriteString(w.space(depth) + shut)
	return b.String()
}

func tomlFile(t *rapid.T) string {
	nl := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "nl")
	pieces := map[string][]string{
		"top":   {"", "model = \"o3\"", "# c [x]", "sandbox_workspace_write.network_access = true", "sandbox_workspace_write = { network_access = true }", "mcp_servers = {}"},
		"box":   {"", "[sandbox_workspace_write]", "[ sandbox_workspace_write ] # c", "[\"sandbox_workspace_write\"]"},
		"roots": {"", "writable_roots = []", "writable_roots = [\"/a\"]", "writable_roots = [ # c ]\n  '/a', # d\n  \"/b\",\n]", "writable_roots=[\n\t\"/a\"\n\t]", "\"writable_roots\" = [ \"/a\", ]", "network_access = true", "writable_roots = ['''/a''']"},
		"more":  {"", "[mcp_servers.other]", "[[profile]]", "[mcp_servers]", "# end"},
		"key":   {"", "x = [\"[mcp_servers.ralph]\"]", "command = '''\n[sandbox_workspace_write]\n'''"},
	}
	var lines []string
	for _, name := range []string{"top", "box", "roots", "more", "key"} {
		lines = append(lines, rapid.SampledFrom(pieces[name]).Draw(t, name))
		if rapid.Bool().Draw(t, "blank") {
			lines = append(lines, "")
		}
	}
	text := strings.Join(lines, "\n")
	if rapid.Bool().Draw(t, "end") {
		text += "\n"
	}
	return strings.ReplaceAll(text, "\n", nl)
}

// TestRefused: a file that is not understood is refused with its place.
func TestRefused(t *testing.T) {
	t.Parallel()
	all := ways(t)
	for _, tt := range []struct{ way, text, says string }{
		{"hooks", "{\n  \"a\": \n}", "line 3, column 1"},
		{"hooks", "{\"a\": 1} x", "line 1"},
		{"hooks", "[]", "not an object"},
		{"hooks", "{\n\"hooks\": []}", "line 2: hooks is not an object"},
		{"hooks", "{\"hooks\": {\n\"Stop\": {}}}", "line 2: hooks.Stop is not an array"},
		{"servers", "{\"mcpServers\": null}", "not an object"},
		{"servers", "\x00", "line 1"},
		{"toml", "a = 1\nb", "line 2"},
		{"toml", "[mcp_servers.ralph]\n[mcp_servers.ralph]", "line 2"},
		{"toml", "sandbox_workspace_write = { network_access = true }\n", "by hand"},
		{"toml", "sandbox_workspace_write.network_access = true\n", "by hand"},
		{"toml", "[sandbox_workspace_write]\nwritable_roots = [1]\n", "not text"},
		{"toml", "mcp_servers = { a = { command = 'b' } }\n", "by hand"},
		{"block", "a\n<!-- ralph:begin -->\nb\n", "line 2"},
		{"block", "<!-- ralph:end -->\n<!-- ralph:begin -->\n", "by hand"},
		{"block", "<!-- ralph:begin -->\n<!-- ralph:end -->\n<!-- ralph:begin -->\n<!-- ralph:end -->\n", "by hand"},
	} {
		if got, _, err := all[tt.way].add([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s %q: %v %q", tt.way, tt.text, err, got)
		}
	}
}

// TestSomebodysOwn: what is there in other words stays as it is, also when
// ralph goes.
func TestSomebodysOwn(t *testing.T) {
	t.Parallel()
	all := ways(t)
	for _, tt := range []struct{ way, text string }{
		{"servers", `{"mcpServers": {"ralph": {"command": "/opt/ralph", "args": ["mcp"]}}}`},
		{"hooks", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/ralph hook stop"}]}], "SessionStart": [{"hooks": [{"type": "command", "command": "ralph hook session-start"}]}]}}`},
		{"toml", "[mcp_servers.ralph]\ncommand = \"/opt/ralph\"\n[sandbox_workspace_write]\nwritable_roots = [\"/home/nina/shop/.git/ralph\"]\n"},
	} {
		got, kept, err := all[tt.way].add([]byte(tt.text))
		if err != nil || string(got) != tt.text || len(kept) == 0 {
			t.Errorf("%s: %v %v %s", tt.way, err, kept, got)
		}
		if tt.way == "toml" {
			continue
		}
		got, kept, err = all[tt.way].remove([]byte(tt.text), nil)
		if err != nil || string(got) != tt.text || len(kept) == 0 {
			t.Errorf("%s, removed: %v %v %s", tt.way, err, kept, got)
		}
	}
}

// TestLaterWords: what somebody wrote around ralph's own stays when ralph goes.
func TestLaterWords(t *testing.T) {
	t.Parallel()
	all := ways(t)
	for way, change := range map[string]func(string) string{
		"hooks": func(s string) string { return strings.Replace(s, "{", "{\n  // mine\n  \"model\": \"opus\",", 1) },
		"servers": func(s string) string {
			return strings.Replace(s, `"mcpServers": {`, `"mcpServers": { "mine": {"command": "x"},`, 1)
		},
		"toml":  func(s string) string { return s + "[mine]\na = 1\n" },
		"block": func(s string) string { return "# Mine\n\n" + s + "\nmore of mine\n" },
	} {
		text, _, err := all[way].add(nil)
		if err != nil {
			t.Fatal(err)
		}
		mine := change(string(text))
		got, kept, err := all[way].remove([]byte(mine), nil)
		if err != nil || len(kept) > 0 || !strings.Contains(strings.ToLower(string(got)), "mine") || strings.Contains(string(got), "ralph") {
			t.Errorf("%s: %v %v\n%s\nbecame\n%s", way, err, kept, mine, got)
		}
	}
}

func TestLayouts(t *testing.T) {
	t.Parallel()
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		".claude-plugin/marketplace.json", "plugin/.claude-plugin/plugin.json", "plugin/.mcp.json",
		"plugin/commands/abort.md", "plugin/commands/handover.md", "plugin/commands/plan.md", "plugin/commands/start.md", "plugin/commands/status.md",
		"plugin/hooks/hooks.json", "plugin/skills/gate/SKILL.md", "plugin/skills/orchestrate/SKILL.md",
	}
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(all))); d != "" {
		t.Error(d)
	}
	for name, text := range all {
		switch {
		case strings.HasSuffix(name, ".json"):
			if !json.Valid(text) {
				t.Errorf("%s is no JSON", name)
			}
		default:
			front(t, name, string(text))
		}
	}
}

// front checks what stands above a command or a skill (agentskills: the name
// is the folder's, a description has at most 1,024 characters).
func front(t *testing.T, name, text string) {
	t.Helper()
	parts := strings.SplitN(text, "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Errorf("%s has nothing above its text", name)
		return
	}
	fields := map[string]string{}
	for line := range strings.Lines(parts[1]) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		fields[key] = value
	}
	if d := fields["description"]; d == "" || len(d) > 1024 {
		t.Errorf("%s: its description has %d characters", name, len(d))
	}
	if strings.HasSuffix(name, "SKILL.md") && fields["name"] != filepath.Base(filepath.Dir(name)) {
		t.Errorf("%s is called %q", name, fields["name"])
	}
}
