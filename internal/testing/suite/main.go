// Command suite runs the project's tests and tells what it left out.
//
//	go run ./internal/testing/suite           # the quick tier: make test
//	go run ./internal/testing/suite -soak     # the long tier, resumable: make soak
//	go run ./internal/testing/suite -soak -only internal/store
//
// The quick tier is one `go test ./...`; the last lines count the tests that
// this machine could not run, by what it lacks, and those left to the long tier.
//
// The long tier is a list of steps: each package with the race detector, each
// fuzz target, and the conformance of the real agents. After every step
// soak.json and soak.md are written; a run that was interrupted continues with
// the steps that are not yet green for the same content of the tree.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	var o options
	flag.BoolVar(&o.soak, "soak", false, "run the long tier, step by step")
	flag.StringVar(&o.only, "only", "", "only the steps whose name holds `TEXT`")
	flag.StringVar(&o.report, "report", "soak", "write the long tier's report to `NAME`.json and NAME.md")
	flag.DurationVar(&o.fuzz, "fuzz", time.Minute, "how long each fuzz target runs in the long tier")
	flag.BoolVar(&o.fresh, "fresh", false, "forget what an earlier run of the long tier has shown")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := o.run(ctx, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

type options struct {
	soak, fresh  bool
	only, report string
	fuzz         time.Duration
}

// run returns the exit code: 0 when every test passed.
func (o options) run(ctx context.Context, packages []string) (int, error) {
	if o.soak {
		return o.soakAll(ctx)
	}
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	r := newReader(os.Stdout)
	err := goTest(ctx, r, nil, append([]string{parallel}, packages...)...)
	r.summary()
	if err != nil || len(r.red) > 0 {
		return 1, err
	}
	return 0, nil
}
