package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/proc"
)

// errCannot is returned when the machine lacks something.
var errCannot = errors.New("cannot be played here")

// exitMissing is the exit code for a missing tool, as in ralph.
const exitMissing = 69

func main() {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case err == nil:
		return
	case errors.Is(err, errCannot) && slices.Contains(os.Args, "-optional"):
		fmt.Fprintln(os.Stdout, "conformance SKIPPED:", err)
		return
	case errors.Is(err, errCannot):
		fmt.Fprintln(os.Stderr, "conform:", err)
		os.Exit(exitMissing)
	}
	fmt.Fprintln(os.Stderr, "conform:", err)
	os.Exit(1)
}

type options struct {
	quick, keep   bool
	newest        bool
	optional      bool
	agents, cases string
	parallel      int
	slow          float64
	cache, write  string
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("conform", flag.ContinueOnError)
	f.BoolVar(&o.quick, "quick", false, "a success and a failure of each agent only")
	f.BoolVar(&o.optional, "optional", false, "where npm or the system does not deliver what is needed, say so and end well")
	f.BoolVar(&o.keep, "keep", false, "keep the folders of all cases; those of failed ones are always kept")
	f.BoolVar(&o.newest, "newest", false, "the newest version of each program in place of the one that its driver was made for")
	f.StringVar(&o.agents, "agents", "", "only these agents, separated by commas")
	f.StringVar(&o.cases, "cases", "", "only these cases, separated by commas")
	f.IntVar(&o.parallel, "p", 4, "cases at once; most of them wait most of the time")
	f.Float64Var(&o.slow, "slow", 1, "bear silence so many times longer, on a machine that has other work")
	f.StringVar(&o.cache, "cache", "", "folder that keeps the agents' packages (default: below the user's cache folder)")
	f.StringVar(&o.write, "write", "", "write the table into this page, between its marks")
	return o, f.Parse(args)
}

// bench holds the state that all cases share.
type bench struct {
	options
	dir, ralph string
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.cache == "" {
		home, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(home, "ralph", "conformance")
	}
	b := &bench{options: o}
	if !inside() {
		return b.prepare(ctx)
	}
	if err := seal(ctx); err != nil {
		return err
	}
	if b.dir, err = scratch(); err != nil {
		return err
	}
	b.ralph = b.program()
	results := b.playAll(ctx)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return b.tell(results)
}

// scratch is not below /tmp: some agents may write there by default.
func scratch() (string, error) {
	dir, err := os.MkdirTemp("/var/tmp", "ralph-conform-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// program is the tested ralph.
func (b *bench) program() string { return filepath.Join(b.cache, "bin", "ralph") }

// prepare does the steps that need a network.
func (b *bench) prepare(ctx context.Context) error {
	if err := b.installAll(ctx); err != nil {
		return err
	}
	out, err := proc.Run(ctx, proc.Command{
		Argv: []string{"go", "build", "-trimpath", "-o", b.program(), "ralph/cmd/ralph"}, Env: append(os.Environ(), "CGO_ENABLED=0"),
	})
	if err != nil || out.Code != 0 {
		return fmt.Errorf("build ralph: %w", ended(err, out))
	}
	return enter(ctx)
}

// installAll installs the missing programs. It does not wait long for optional
// ones.
func (b *bench) installAll(ctx context.Context) error {
	patience := 15 * time.Minute
	if b.optional {
		patience = 3 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if b.newest {
		if err := b.resolve(ctx); err != nil {
			return err
		}
	}
	for _, c := range b.clients() {
		fmt.Fprintf(os.Stderr, "%s %s\n", c.title, c.version)
		if err := c.install(ctx, b.cache); err != nil {
			return err
		}
	}
	return nil
}

// versions is the file with the newest versions, by package: in the namespace
// npm cannot be asked.
func (b *bench) versions() string { return filepath.Join(b.cache, "newest.json") }

func (b *bench) resolve(ctx context.Context) error {
	found := map[string]string{}
	for _, c := range b.clients() {
		if found[c.pkg] != "" {
			continue
		}
		version, err := c.newest(ctx)
		if err != nil {
			return err
		}
		found[c.pkg] = version
	}
	text, err := json.Marshal(found)
	if err != nil {
		return err
	}
	return write(b.versions(), string(text))
}

// clients are those to test; a quick run leaves some out.
func (b *bench) clients() []client {
	all := only(clients(), b.agents, func(c client) string { return c.name })
	if b.quick {
		all = slices.DeleteFunc(all, func(c client) bool { return c.heavy })
	}
	if b.newest {
		text, _ := readFile(b.versions())
		found := map[string]string{}
		_ = json.Unmarshal([]byte(text), &found) // before they are known, the pinned ones
		for i, c := range all {
			all[i].version = cmp.Or(found[c.pkg], c.version)
		}
	}
	return all
}

func (b *bench) trials() []trial {
	all := only(trials(), b.cases, func(t trial) string { return t.name })
	if b.quick {
		all = slices.DeleteFunc(all, func(t trial) bool { return !t.quick })
	}
	return all
}

func only[T any](all []T, names string, name func(T) string) []T {
	if names == "" {
		return all
	}
	return slices.DeleteFunc(all, func(x T) bool { return !slices.Contains(strings.Split(names, ","), name(x)) })
}
