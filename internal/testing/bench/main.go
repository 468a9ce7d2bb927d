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

	// The shim of the start-up rows is this program: with the command line
	// linked in, it loads what ralph loads.
	_ "ralph/internal/cli"
	"ralph/internal/proc"
)

func main() {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
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
	// dir is the scratch folder, ralph and hello the programs, self this one.
	dir, ralph, hello, self string

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
	f.StringVar(&o.date, "date", "", "date to write into the table")
	f.StringVar(&o.write, "write", "", "write the page to this file instead of standard output")
	return o, f.Parse(args)
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	b := &bench{quick: o.quick, rounds: o.rounds, log: os.Stderr}
	if err := b.settle(o.dir); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.build(ctx); err != nil {
		return err
	}
	m := thisMachine(ctx, b.dir)
	rows, err := b.measure(ctx, o.only)
	if err != nil {
		return err
	}
	m.after = load()
	page := page{machine: m, date: o.date, quick: o.quick, rows: rows}.String()
	if o.write == "" {
		_, err = io.WriteString(os.Stdout, page)
		return err
	}
	return os.WriteFile(o.write, []byte(page), 0o644)
}

// settle makes the scratch folder. /var/tmp is on a disk where /tmp may be
// memory, in which nothing has to wait for a sync.
func (b *bench) settle(dir string) (err error) {
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

func (b *bench) measure(ctx context.Context, only string) ([]row, error) {
	var rows []row
	known := 0
	for _, g := range groups() {
		if only != "" && !slices.Contains(strings.Split(only, ","), g.name) {
			continue
		}
		known++
		b.say("%s", g.name)
		more, err := g.rows(b, ctx)
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", g.name, err)
		}
		rows = append(rows, more...)
	}
	if known == 0 {
		return nil, errors.New("no such group: " + only)
	}
	return rows, nil
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
