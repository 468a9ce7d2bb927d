package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	// The shim of the start-up rows is this program: with the command line
	// linked in, it loads what ralph loads.
	_ "ralph/internal/cli"
	"ralph/internal/proc"
	"ralph/internal/testing/marks"
)

func main() {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if role, ok := roles()[firstArg()]; ok {
		err = role(ctx, os.Args[2:])
	} else {
		err = run(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func firstArg() string {
	if len(os.Args) < 2 {
		return ""
	}
	return os.Args[1]
}

// bench holds the state that all groups of rows share.
type bench struct {
	// dir is the scratch folder, ralph, hello and prototype the programs, self this one.
	dir, ralph, hello, prototype, self string

	quick  bool
	rounds int // 0 leaves the choice to each group
	log    io.Writer
}

// group is one thing that is measured, in one or more rows.
type group struct {
	name string
	rows func(*bench, context.Context) ([]row, error)
}

func groups() []group {
	return []group{
		{"startup", (*bench).startup},
		{"status", (*bench).status},
		{"driven", (*bench).driven},
		{"attempt", (*bench).attempt},
		{"proof", (*bench).proof},
		{"plan", (*bench).plan},
		{"long", (*bench).long},
		{"transitions", (*bench).transitions},
		{"start", (*bench).start},
		{"output", (*bench).output},
		{"idle", (*bench).idle},
		{"size", (*bench).size},
	}
}

type options struct {
	quick       bool
	rounds      int
	only        string
	dir         string
	date, write string
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.BoolVar(&o.quick, "quick", false, "fewer and smaller rounds, for a first look")
	f.IntVar(&o.rounds, "n", 0, "rounds of each row (default: by row)")
	f.StringVar(&o.only, "only", "", "measure these groups, separated by commas")
	f.StringVar(&o.dir, "dir", "", "folder for the scratch files; its file system is what is measured (default /var/tmp)")
	f.StringVar(&o.date, "date", "", "date to write above the tables")
	f.StringVar(&o.write, "write", "", "also write each table between its marks in this file; the others stay as they are")
	return o, f.Parse(args)
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	b := &bench{quick: o.quick, rounds: o.rounds, log: os.Stderr}
	if err := b.makeScratch(o.dir); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.build(ctx); err != nil {
		return err
	}
	return b.measure(ctx, o)
}

// makeScratch makes the scratch folder. /var/tmp is on a disk where /tmp may be
// memory, in which nothing has to wait for a sync.
func (b *bench) makeScratch(dir string) (err error) {
	if dir == "" {
		dir = "/var/tmp"
		if _, err := os.Stat(dir); err != nil {
			dir = os.TempDir()
		}
	}
	if b.dir, err = os.MkdirTemp(dir, "ralph-bench-"); err != nil {
		return err
	}
	b.dir, err = filepath.EvalSymlinks(b.dir)
	return err
}

// measure measures the groups one after the other and writes each as soon as it is
// known. A group that fails does not keep the next ones from being measured.
func (b *bench) measure(ctx context.Context, o options) error {
	chosen := groups()
	if o.only != "" {
		names := strings.Split(o.only, ",")
		chosen = slices.DeleteFunc(chosen, func(g group) bool { return !slices.Contains(names, g.name) })
	}
	if len(chosen) == 0 {
		return errors.New("no such group: " + o.only)
	}
	m := thisMachine(ctx, b.dir)
	var failed []error
	for _, g := range chosen {
		b.say("%s", g.name)
		before := load()
		rows, err := g.rows(b, ctx)
		if err == nil {
			err = b.tell(o, g.name, section{machine: m, before: before, after: load(), date: o.date, quick: o.quick, rows: rows}.String())
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("measure %s: %w", g.name, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failed...)
}

// tell prints a table, and writes it into the page where one is named.
func (b *bench) tell(o options, name, text string) error {
	if _, err := fmt.Fprintf(os.Stdout, "%s\n\n%s\n", name, text); err != nil || o.write == "" {
		return err
	}
	return marks.Insert(o.write, "make bench, "+name, text)
}

func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(b.log, format+"\n", args...)
}

// times chooses the number of rounds.
func (b *bench) times(full, quick int) int {
	switch {
	case b.rounds > 0:
		return b.rounds
	case b.quick:
		return quick
	}
	return full
}
