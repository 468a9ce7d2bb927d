package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"ralph/internal/testing/tier"
)

// step is a part of the long tier that stands alone.
type step struct {
	Name    string    `json:"name"`
	Green   bool      `json:"green"`
	Seconds int       `json:"seconds"`
	At      time.Time `json:"at,omitzero"`
	// Counts of tests, and the names of those that failed.
	Passed  int      `json:"passed"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	Lacks   []string `json:"lacks,omitempty"`

	run func(context.Context, *reader) error
}

// soakReport is soak.json: what has been shown of one content of the tree.
type soakReport struct {
	// Tree identifies the content: the commit's tree, and a digest of what is
	// not committed.
	Tree string `json:"tree"`
	// Settings are those that decide what a green step has shown.
	Settings string  `json:"settings"`
	Steps    []*step `json:"steps"`
}

// soakAll runs each step that is not green yet. The exit code is 0 when all are.
func (o options) soakAll(ctx context.Context) (int, error) {
	if err := reportIsApart(ctx, o.report); err != nil {
		return 1, err
	}
	steps, err := o.steps(ctx)
	if err != nil {
		return 1, err
	}
	rep := soakReport{Steps: steps, Settings: fmt.Sprintf("%s=%s fuzz=%s", tier.Variable, mode(), o.fuzz)}
	if rep.Tree, err = treeID(ctx); err != nil {
		return 1, err
	}
	if !o.fresh {
		rep.recall(o.report + ".json")
	}
	red := 0
	for i, s := range steps {
		if o.only != "" && !strings.Contains(s.Name, o.only) {
			continue
		}
		if s.Green {
			fmt.Printf("green already: %s\n", s.Name)
			continue
		}
		fmt.Printf("step %d of %d: %s\n", i+1, len(steps), s.Name)
		if err := s.do(ctx); err != nil {
			return 1, errors.Join(err, rep.write(o.report))
		}
		if now, err := treeID(ctx); err != nil || now != rep.Tree {
			return 1, errors.Join(err, fmt.Errorf("the tree changed while %q ran; its result is not recorded: run it again", s.Name))
		}
		if !s.Green {
			red++
		}
		if err := rep.write(o.report); err != nil {
			return 1, err
		}
	}
	fmt.Printf("\nthe report: %s.md\n", o.report)
	return min(red, 1), nil
}

// do runs the step. An interruption leaves it as it was.
func (s *step) do(ctx context.Context) error {
	r, began := newReader(os.Stdout), time.Now()
	err := s.run(ctx, r)
	if ctx.Err() != nil {
		return errors.New("interrupted; run it again to continue")
	}
	if err != nil {
		fmt.Println(err)
	}
	s.Green = err == nil && len(r.red) == 0
	s.Passed, s.Failed, s.Skipped = r.passed, r.failed, r.skipped
	s.Seconds, s.At = int(time.Since(began).Seconds()), time.Now().UTC().Truncate(time.Second)
	s.Lacks = nil
	for what, n := range r.lacks {
		s.Lacks = append(s.Lacks, fmt.Sprintf("%s (%d)", what, n))
	}
	return nil
}

// mode is the value that selects the long tier of a test.
func mode() string { return max(os.Getenv(tier.Variable), "1") }

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w*)\(\w+ \*testing\.F\)`)

// steps lists the long tier: packages, fuzz targets, conformance. It builds
// nothing: fuzz targets are found in the sources.
func (o options) steps(ctx context.Context) (out []*step, err error) {
	const tests = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{range .TestGoFiles}}\t{{$.Dir}}/{{.}}{{end}}{{range .XTestGoFiles}}\t{{$.Dir}}/{{.}}{{end}}{{end}}"
	packages, err := output(ctx, "go", "list", "-f", tests, "./...")
	if err != nil {
		return nil, err
	}
	var fuzz []*step
	for line := range strings.Lines(packages) {
		files := strings.Split(strings.TrimSpace(line), "\t")
		p := files[0]
		out = append(out, &step{Name: "race " + p, run: func(ctx context.Context, r *reader) error {
			return goTest(ctx, r, []string{tier.Variable + "=" + mode()}, "-race", "-timeout=6h", p)
		}})
		for _, file := range files[1:] {
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, m := range fuzzTarget.FindAllSubmatch(source, -1) {
				f := string(m[1])
				fuzz = append(fuzz, &step{Name: "fuzz " + p + " " + f, run: func(ctx context.Context, r *reader) error {
					return goTest(ctx, r, nil, "-run=^$", "-fuzz=^"+f+"$", "-fuzztime="+o.fuzz.String(), p)
				}})
			}
		}
	}
	out = append(out, fuzz...)
	return append(out, &step{Name: "conformance", run: func(ctx context.Context, r *reader) error {
		return command(ctx, r.out, "go", "run", "./internal/testing/conformance", "-optional", "-newest")
	}}), nil
}

// reportIsApart refuses a report that would be part of the tree it describes:
// each write would change the tree, and no run could be continued.
func reportIsApart(ctx context.Context, name string) error {
	top, err := output(ctx, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(strings.TrimSpace(top), path)
	if err != nil || !filepath.IsLocal(rel) {
		return nil //nolint:nilerr // there is no path from one to the other: it is outside
	}
	for _, suffix := range []string{".json", ".json.new", ".md"} {
		if _, err := output(ctx, "git", "check-ignore", "--quiet", path+suffix); err != nil {
			return fmt.Errorf("-report %s: git does not ignore %s%s; choose a path outside of the repository", name, rel, suffix)
		}
	}
	return nil
}

// recall takes over what an earlier run has shown of the same content with the
// same settings.
func (rep *soakReport) recall(path string) {
	data, err := os.ReadFile(path)
	var old soakReport
	if err != nil || json.Unmarshal(data, &old) != nil || old.Tree != rep.Tree || old.Settings != rep.Settings {
		return
	}
	known := map[string]*step{}
	for _, s := range old.Steps {
		known[s.Name] = s
	}
	for _, s := range rep.Steps {
		if k := known[s.Name]; k != nil {
			run := s.run
			*s = *k
			s.run = run
		}
	}
}

// write stores the report as JSON, from which a run continues, and as a table.
func (rep *soakReport) write(name string) error {
	data, err := json.MarshalIndent(rep, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".json.new", data, 0o644); err != nil {
		return err
	}
	if err := os.Rename(name+".json.new", name+".json"); err != nil {
		return err
	}
	return os.WriteFile(name+".md", rep.table(), 0o644)
}

func (rep *soakReport) table() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The long tests\n\nTree %s, %s\n\n| step | result | passed | failed | skipped | seconds |\n|---|---|---:|---:|---:|---:|\n", rep.Tree, rep.Settings)
	for _, s := range rep.Steps {
		result := "not run"
		if s.Green {
			result = "green"
		} else if !s.At.IsZero() {
			result = "**red**"
		}
		if len(s.Lacks) > 0 {
			result += "; the machine lacks " + strings.Join(s.Lacks, ", ")
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d |\n", s.Name, result, s.Passed, s.Failed, s.Skipped, s.Seconds)
	}
	return b.Bytes()
}

// treeID names the content that is tested.
func treeID(ctx context.Context) (string, error) {
	tree, err := output(ctx, "git", "rev-parse", "HEAD^{tree}")
	if err != nil {
		return "", err
	}
	changes, err := output(ctx, "sh", "-c", "(git diff HEAD; git ls-files -z --others --exclude-standard | xargs -0r sha256sum) | git hash-object --stdin")
	return strings.TrimSpace(tree)[:12] + "-" + strings.TrimSpace(changes)[:12], err
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	var b bytes.Buffer
	err := command(ctx, &b, name, args...)
	return b.String(), err
}

func command(ctx context.Context, out io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}
