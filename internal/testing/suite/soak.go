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
	Tree  string  `json:"tree"`
	Steps []*step `json:"steps"`
}

// soakAll runs each step that is not green yet. The exit code is 0 when all are.
func (o options) soakAll(ctx context.Context) (int, error) {
	steps, err := o.steps(ctx)
	if err != nil {
		return 1, err
	}
	rep := soakReport{Steps: steps}
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

// steps lists the long tier: packages, fuzz targets, conformance.
func (o options) steps(ctx context.Context) (out []*step, err error) {
	packages, err := output(ctx, "go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...")
	if err != nil {
		return nil, err
	}
	var fuzz []*step
	mode := tier.Variable + "=" + max(os.Getenv(tier.Variable), "1")
	for _, p := range strings.Fields(packages) {
		out = append(out, &step{Name: "race " + p, run: func(ctx context.Context, r *reader) error {
			return goTest(ctx, r, []string{mode}, "-race", "-timeout=6h", p)
		}})
		listed, err := output(ctx, "go", "test", "-list", "^Fuzz", p)
		if err != nil {
			return nil, err
		}
		for _, f := range strings.Fields(listed) {
			if !strings.HasPrefix(f, "Fuzz") {
				continue
			}
			fuzz = append(fuzz, &step{Name: "fuzz " + p + " " + f, run: func(ctx context.Context, r *reader) error {
				return goTest(ctx, r, nil, "-run=^$", "-fuzz=^"+f+"$", "-fuzztime="+o.fuzz.String(), p)
			}})
		}
	}
	out = append(out, fuzz...)
	return append(out, &step{Name: "conformance", run: func(ctx context.Context, r *reader) error {
		return command(ctx, r.out, "go", "run", "./internal/testing/conformance", "-optional")
	}}), nil
}

// recall takes over what an earlier run has shown of the same content.
func (rep *soakReport) recall(path string) {
	data, err := os.ReadFile(path)
	var old soakReport
	if err != nil || json.Unmarshal(data, &old) != nil || old.Tree != rep.Tree {
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
	fmt.Fprintf(&b, "# The long tests\n\nTree %s\n\n| step | result | passed | failed | skipped | seconds |\n|---|---|---:|---:|---:|---:|\n", rep.Tree)
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
