package ralph_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ralph/internal/agent/registry"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestFormats holds the reference to the code: it has everything that a program
// may read or write.
func TestFormats(t *testing.T) {
	t.Parallel()
	said := inCode(reference(t))
	for what, names := range map[string][]string{
		"event of a loop":     loop.Events().Names(),
		"event of a plan":     plan.Events().Names(),
		"code":                found(t, `(?:Status|Reason|Step|Mode|End|Verdict|Kind|Level)\s+= "([a-z_]+)"`, files(t, "internal/loop")...),
		"concern":             concerns(),
		"exit code":           found(t, `\t[A-Z]\w+\s+= (\d+)`, "internal/cli/exit/code.go"),
		"key of a plain line": found(t, `\{"([a-z_]+)", `, "internal/view/plain.go"),
		"key of state.md":     found(t, `(?:\\n|")([a-z_]+): (?:%|\[\])`, "internal/store/viewmd.go"),
		"step of a scenario":  tags(t, "yaml", "internal/agent/script/scenario.go"),
		"field of a template": fields(t, "internal/prompt/data.go"),
		"field of a loop":     jsonFields(append(slices.Collect(maps.Values(loop.Events().Types())), reflect.TypeFor[loop.Spec]())...),
		"field of a plan":     jsonFields(slices.Collect(maps.Values(plan.Events().Types()))...),
		"code of a plan":      found(t, `(?:Status|Reason|Stage|Phase|FindingKind)\s+= "([a-z_]+)"`, files(t, "internal/plan")...),
		"field": tags(t, "json",
			"internal/view/planrun.go",
			"internal/view/object.go", "internal/view/attempts.go",
			"internal/view/spent.go", "internal/money/balance.go", "internal/view/list.go", "internal/view/run.go", "internal/view/summary.go", "internal/view/migrated.go", "internal/view/attempts.go", "internal/view/encode.go",
			"internal/store/viewjson.go", "internal/store/bus.go",
			"internal/cli/doctor/doctor.go", "internal/cli/setup/write.go", "internal/cli/setup/survey.go", "internal/cli/demo/object.go",
			"internal/view/shared.go", "internal/store/artifact.go", "internal/store/admission.go", "internal/scope/overlap.go",
			"internal/advise/advice.go", "internal/planfile/object.go", "internal/cli/plan/check.go", "internal/cli/plan/convert.go", "internal/planfile/render.go", "internal/advise/history.go", "internal/advise/plan.go",
			"internal/notice/notice.go", "internal/cli/notify/notify.go",
			"internal/cli/setup/config.go", "internal/cli/setup/trust.go", "internal/trust/content.go", "internal/trust/book.go", "internal/trust/stores.go", "internal/agent/driver.go", "internal/view/attempts.go", "internal/cli/plugin/text.go", "internal/mcp/answer.go",
			"internal/learn/pattern.go", "internal/learn/memory.go", "internal/learn/export.go", "internal/learn/export.go", "internal/learn/exporttask.go", "internal/view/learned.go",
			"internal/review/ballot/verdict.go", "internal/review/ballot/outcome.go"),
	} {
		if len(names) == 0 {
			t.Errorf("no %s found: does this test still look in the right place?", what)
		}
		for _, name := range names {
			if !said[name] {
				t.Errorf("docs/formats*.md (or plans.md, scripting.md) do not have the %s %s", what, name)
			}
		}
	}
}

// TestSchemas holds that every object with a schema name is described.
func TestSchemas(t *testing.T) {
	t.Parallel()
	page := reference(t)
	for path := range sources(t) {
		for _, schema := range found(t, `"(ralph\.[a-z]+/v\d+)"`, path) {
			if !strings.Contains(page, "`"+schema+"`") {
				t.Errorf("docs/formats*.md do not have %s, which %s writes", schema, path)
			}
		}
	}
}

// reference returns the pages about formats.
func reference(t *testing.T) string {
	t.Helper()
	page := read(t, "docs/plans.md") + read(t, "docs/scripting.md")
	for _, path := range formatPages(t) {
		page += read(t, path)
	}
	return page
}

// formatPages are the pages of docs/formats.md.
func formatPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/formats*.md")
	if err != nil || len(pages) < 2 {
		t.Fatalf("the pages about formats: %q, %v", pages, err)
	}
	return pages
}

func concerns() (names []string) {
	for _, code := range loop.ConcernCodes() {
		names = append(names, string(code))
	}
	return names
}

// inCode returns the words of a page in code formatting, and the numbers that
// begin a row of a table.
func inCode(page string) map[string]bool {
	words := map[string]bool{}
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]+`|\n\\| \\d+ \\|").FindAllString(page, -1)
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(strings.Join(code, " "), -1) {
		words[word] = true
	}
	return words
}

// TestPathsInDocuments holds documents to the files that they name. The text
// after a colon must be in the file, such as the name of a test.
func TestPathsInDocuments(t *testing.T) {
	t.Parallel()
	codeSpan := regexp.MustCompile("`([^`\n]+)`")
	ourPath := regexp.MustCompile(`^((?:internal|cmd|docs|tools|scripts)/[\w./-]+|[\w-]+_test\.go)(?::(.+))?$`)
	mdLink := regexp.MustCompile(`\]\(([\w./-]+)(#[\w-]*)?\)`)
	for _, doc := range append(formatPages(t), "docs/plans.md", "docs/scripting.md", "docs/seeds.md", "docs/agents-join.md", "CONTRIBUTING.md") {
		page, seen := read(t, doc), 0
		for _, span := range codeSpan.FindAllStringSubmatch(page, -1) {
			m := ourPath.FindStringSubmatch(span[1])
			if m == nil {
				continue
			}
			seen++
			if info, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s names %s: %v", doc, m[1], err)
			} else if m[2] != "" && (info.IsDir() || !strings.Contains(read(t, m[1]), m[2])) {
				t.Errorf("%s: %s does not hold %q", doc, m[1], m[2])
			}
		}
		for _, link := range mdLink.FindAllStringSubmatch(page, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), link[1])); err != nil {
				t.Errorf("%s links to %s: %v", doc, link[1], err)
			}
		}
		if doc == "docs/seeds.md" && seen < 50 {
			t.Errorf("only %d paths in %s: does this test still see them?", seen, doc)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// found returns the first groups of a pattern's matches.
func found(t *testing.T, pattern string, paths ...string) (out []string) {
	t.Helper()
	for _, path := range paths {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, path), -1) {
			out = append(out, m[1])
		}
	}
	return out
}

// tags returns the names that all structs of the files give their fields.
func tags(t *testing.T, kind string, paths ...string) (out []string) {
	t.Helper()
	eachField(t, paths, func(f *ast.Field) {
		if f.Tag == nil {
			return
		}
		text, _ := strconv.Unquote(f.Tag.Value)
		if name, _, _ := strings.Cut(reflect.StructTag(text).Get(kind), ","); name != "" && name != "-" {
			out = append(out, name)
		}
	})
	return out
}

// files returns the sources of a package, without tests.
func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	for path := range sources(t) {
		if filepath.Dir(path) == filepath.FromSlash(dir) {
			out = append(out, path)
		}
	}
	return out
}

// jsonFields returns the JSON names of our structs' fields, nested ones included.
func jsonFields(types ...reflect.Type) (out []string) {
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] || !strings.HasPrefix(typ.PkgPath(), own) {
			return
		}
		seen[typ] = true
		for f := range typ.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
				out = append(out, name)
			}
			visit(f.Type)
		}
	}
	for _, typ := range types {
		visit(typ)
	}
	return out
}

// fields returns the exported fields of all structs of the files.
func fields(t *testing.T, paths ...string) (out []string) {
	t.Helper()
	eachField(t, paths, func(f *ast.Field) {
		for _, n := range f.Names {
			if n.IsExported() {
				out = append(out, n.Name)
			}
		}
	})
	return out
}

func eachField(t *testing.T, paths []string, visit func(*ast.Field)) {
	t.Helper()
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					visit(f)
				}
			}
			return true
		})
	}
}

// TestDriversAreNamed: a new driver is a folder of internal/agent and an entry in
// registry.Natives. These places name all drivers too, for people.
func TestDriversAreNamed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"README.md", "ARCHITECTURE.md", "docs/agents.md", "docs/configuration.md", "docs/formats-loops.md",
		"internal/config/settings.go", "internal/config/values.go", "internal/loop/spec.go",
		"internal/testing/conformance/programs.go",
	} {
		page := read(t, path)
		for _, name := range registry.Names() {
			if !regexp.MustCompile(`\b` + name + `\b`).MatchString(page) {
				t.Errorf("%s does not name the driver %s", path, name)
			}
		}
	}
}

// TestSeedRowsAreShown: every idea of the five designs names a test or a scenario that
// shows it; TestPathsInDocuments checks that it exists.
func TestSeedRowsAreShown(t *testing.T) {
	// Rows about documents and decisions, which nothing runs.
	idle := []string{"nothing to build", "ARCHITECTURE.md](../ARCHITECTURE.md)", "a plain sequence needs no plan", "≠ a program around any agent", "≠ one program"}
	seed, rows := "", 0
	for line := range strings.Lines(read(t, "docs/seeds.md")) {
		if head, ok := strings.CutPrefix(line, "## "); ok {
			seed = head
		}
		if !strings.HasPrefix(seed, "Seed ") || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| idea |") {
			continue
		}
		rows++
		shown := strings.Contains(line, "_test.go") || strings.Contains(line, "testdata/")
		if !shown && !slices.ContainsFunc(idle, func(s string) bool { return strings.Contains(line, s) }) {
			t.Errorf("no test shows: %.120s", line)
		}
	}
	if rows < 150 {
		t.Errorf("only %d rows in docs/seeds.md: does this test still see them?", rows)
	}
}
