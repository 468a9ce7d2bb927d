package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"ralph/internal/testing/tier"
)

// limit ends a test binary that hangs. The slowest package needs two minutes on
// two idle cores.
const limit = "-timeout=60m"

// lean leaves debugging tables out of the test binaries: linking takes half of the time.
const lean = "-ldflags=-w"

// parallel is how many tests of a package run at once: twice as many as there are
// processors, since a test of the whole program waits for the disk, for other processes
// and for back-offs half of its time.
var parallel = fmt.Sprintf("-parallel=%d", 2*runtime.NumCPU())

// goTest runs go test and hands its events to r. A failed test is no error:
// r.red names its package.
func goTest(ctx context.Context, r *reader, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json", lean, limit}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Stderr = r.out
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.read(out)
	err = cmd.Wait()
	switch exit, ok := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case ok && exit.ExitCode() == 1 && len(r.red) > 0:
		return nil
	case err != nil:
		return fmt.Errorf("go test: %w", err)
	}
	return nil
}

// event is a line of go test -json (see `go doc test2json`).
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// reader prints a line a package and the output of failed tests, and counts.
type reader struct {
	out                     io.Writer
	passed, failed, skipped int
	// output of tests and packages that have not ended, by their names.
	output map[string][]string
	// lacks counts skipped tests by what the machine lacks; soak and other count
	// the rest.
	lacks map[string]int
	soak  int
	other []string
	// red are the packages that failed, also without a failed test.
	red   []string
	began time.Time
}

func newReader(out io.Writer) *reader {
	return &reader{out: out, output: map[string][]string{}, lacks: map[string]int{}, began: time.Now()}
}

func (r *reader) read(from io.Reader) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			r.take(e)
		} else if len(line) > 0 {
			_, _ = r.out.Write(line)
		}
		if err != nil {
			return
		}
	}
}

func (r *reader) take(e event) {
	name := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		r.output[name] = append(r.output[name], e.Output)
		return
	case "build-output":
		fmt.Fprint(r.out, e.Output)
		return
	case "fail":
		r.show(e, name)
	case "skip":
		r.skip(e, name)
	case "pass":
		if e.Test == "" {
			fmt.Fprintf(r.out, "ok    %7.1fs  %s\n", e.Elapsed, e.Package)
		} else {
			r.passed++
		}
	default:
		return
	}
	delete(r.output, name)
}

func (r *reader) show(e event, name string) {
	what := "--- FAIL: " + e.Test
	if e.Test == "" {
		what = "FAIL"
		r.red = append(r.red, e.Package)
		r.unfinished(e.Package)
	} else {
		r.failed++
	}
	fmt.Fprintf(r.out, "%s  %s (%.1fs)\n%s", what, e.Package, e.Elapsed, strings.Join(r.output[name], ""))
}

// unfinished prints the output of tests that never ended: of a test that hung,
// the stacks of its goroutines.
func (r *reader) unfinished(pkg string) {
	for _, name := range slices.Sorted(maps.Keys(r.output)) {
		test, found := strings.CutPrefix(name, pkg+" ")
		printed := strings.Join(r.output[name], "")
		waiting := strings.Contains(printed, "=== PAUSE") && !strings.Contains(printed, "=== CONT")
		if found && test != "" && !waiting {
			fmt.Fprintf(r.out, "--- UNFINISHED: %s\n%s", test, printed)
		}
	}
}

func (r *reader) skip(e event, name string) {
	if e.Test == "" {
		return // a package without tests
	}
	r.skipped++
	said := strings.Join(r.output[name], "")
	if _, after, found := strings.Cut(said, tier.Lack); found {
		what, _, _ := strings.Cut(after, ": ")
		r.lacks[strings.TrimSpace(what)]++
	} else if strings.Contains(said, tier.Soak) {
		r.soak++
	} else {
		r.other = append(r.other, name)
	}
}

// summary prints what was left out, and the line that closes a run.
func (r *reader) summary() {
	fmt.Fprintln(r.out)
	for _, what := range slices.Sorted(maps.Keys(r.lacks)) {
		fmt.Fprintf(r.out, "left out: %d tests, since this machine lacks %s\n", r.lacks[what], what)
	}
	if r.soak > 0 {
		fmt.Fprintf(r.out, "left out: %d tests of the long tier (make soak)\n", r.soak)
	}
	for _, name := range r.red {
		fmt.Fprintf(r.out, "failed: %s\n", name)
	}
	for _, name := range r.other {
		fmt.Fprintf(r.out, "left out: %s\n", name)
	}
	fmt.Fprintf(r.out, "%s\n\n%d passed, %d failed, %d skipped\n", time.Since(r.began).Round(time.Second), r.passed, r.failed, r.skipped)
}
