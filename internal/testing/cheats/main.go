package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"ralph/internal/testing/marks"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cheats:", err)
		os.Exit(1)
	}
}

type options struct {
	quick, keep    bool
	played         bool
	naive          bool
	only, kind     string
	sandbox, as    string
	modes          string
	ralph, record  string
	refuse         string
	write, summary string
	parallel       int
	real           int
}

func parseFlags(args []string) (o options, err error) {
	f := flag.NewFlagSet("cheats", flag.ContinueOnError)
	f.BoolVar(&o.quick, "quick", false, "one cell of each case: run, the first sandbox, the user who calls")
	f.BoolVar(&o.keep, "keep", false, "keep the directories of all cells; those that went wrong are always kept")
	f.BoolVar(&o.naive, "naive", false, "only check that each cheat fools a plain loop; ralph does not run")
	f.StringVar(&o.only, "only", "", "only cases whose kind/name holds one of these `TEXTS`, separated by commas")
	f.StringVar(&o.kind, "kind", "", "only cases of this `KIND`: cheats, impossible or honest")
	f.StringVar(&o.sandbox, "sandbox", "", "only this `SANDBOX`: bubblewrap, landlock or off")
	f.StringVar(&o.as, "as", "", "only as this `USER`: self or nobody")
	f.StringVar(&o.modes, "modes", "", "only these `MODES`, separated by commas: run, plan, check")
	f.StringVar(&o.ralph, "ralph", "", "try this `FILE` instead of building ralph")
	f.StringVar(&o.refuse, "refuse", "", "refuse work that is one of these `CODES`, separated by commas, instead of letting accept ask")
	f.StringVar(&o.record, "record", "", "keep each cell in this `FILE`, and do not play again what it has")
	f.BoolVar(&o.played, "played", false, "play nothing: the table of the cells that the file of -record has")
	f.StringVar(&o.write, "write", "", "write the table into this `PAGE`, between its marks")
	f.StringVar(&o.summary, "summary", "", "write the summary line into this `PAGE`, between its marks")
	f.IntVar(&o.parallel, "p", 2, "cells at once")
	f.IntVar(&o.real, "real", 0, "in place of the library: up to `N` honest changes of each module of Go that ralph depends on and whose path holds one of the texts of -only")
	return o, f.Parse(args)
}

func run(ctx context.Context, args []string) error {
	o, err := parseFlags(args)
	if err != nil {
		return err
	}
	all, err := o.cases(ctx)
	if err != nil {
		return err
	}
	b, err := prepare(ctx, o.ralph, all)
	if err != nil {
		return err
	}
	b.refuse = o.refuse
	m, byName := newMatrix(b, o), index(all)
	if o.naive {
		return m.foolsPlainLoops(ctx, all)
	}
	rec, err := openRecord(o.record)
	if err != nil {
		return err
	}
	cells, left := rec.left(o.keys(ctx, b, all))
	if o.played {
		left = nil
	}
	var lost error
	cells = append(cells, m.playAll(ctx, all, left, func(c cell) {
		tell(c, byName[c.scenario])
		if ctx.Err() == nil {
			lost = errors.Join(lost, rec.add(c))
		}
	})...)
	if err := errors.Join(lost, rec.close(), context.Cause(ctx)); err != nil {
		return err
	}
	return o.report(byName, cells, b)
}

// index is the cases by kind and name.
func index(all []scenario) map[string]scenario {
	byName := map[string]scenario{}
	for _, s := range all {
		byName[s.kind+"/"+s.name] = s
	}
	return byName
}

// cases loads the chosen cases.
func (o options) cases(ctx context.Context) (all []scenario, err error) {
	if o.real > 0 {
		all, err = realWork(ctx, o.real, o.choosesModule)
		o.only = ""
	} else {
		all, err = loadAll()
	}
	if err != nil {
		return nil, err
	}
	var chosen []scenario
	for _, s := range all {
		if o.chooses(s) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("no case is chosen")
	}
	return chosen, nil
}

// choosesModule reports whether a module's code is asked for.
func (o options) choosesModule(path string) bool {
	return o.only == "" || slices.ContainsFunc(strings.Split(o.only, ","), func(text string) bool { return strings.Contains(path, text) })
}

func (o options) chooses(s scenario) bool {
	if o.kind != "" && s.kind != o.kind {
		return false
	}
	if o.only == "" {
		return true
	}
	for text := range strings.SplitSeq(o.only, ",") {
		if strings.Contains(s.kind+"/"+s.name, text) {
			return true
		}
	}
	return false
}

// keys lists the cells. Cheats are tried in all sandboxes, as both users, and in
// all modes; impossible and honest work in one cell.
func (o options) keys(ctx context.Context, b *bench, all []scenario) []key {
	works := o.places(ctx, b)
	var keys []key
	for _, s := range all {
		name := s.kind + "/" + s.name
		mine := works
		if s.kind != kindCheat || o.quick {
			mine = works[:1]
		}
		if o.has("run") {
			for _, place := range mine {
				keys = append(keys, key{scenario: name, mode: "run", sandbox: place.sandbox, user: place.user})
			}
		}
		if s.kind == kindCheat && !o.quick || o.modes != "" {
			for _, mode := range []string{"plan", "check"} {
				if o.has(mode) {
					keys = append(keys, key{scenario: name, mode: mode, sandbox: works[0].sandbox, user: works[0].user})
				}
			}
		}
	}
	return keys
}

func (o options) has(mode string) bool {
	return o.modes == "" || strings.Contains(","+o.modes+",", ","+mode+",")
}

// places lists the sandboxes that work here, for the user who calls and for an
// ordinary user. It prints those that do not work.
func (o options) places(ctx context.Context, b *bench) []key {
	users := map[string]int{"self": 0}
	if os.Geteuid() == 0 {
		users["nobody"] = ordinary
	}
	var out []key
	for _, as := range []string{"self", "nobody"} {
		user, ok := users[as]
		if !ok || o.as != "" && o.as != as || o.quick && as == "nobody" && o.as == "" {
			continue
		}
		lacking := b.sandboxes(ctx, user)
		for _, sandbox := range []string{"bubblewrap", "landlock", "off"} {
			if o.sandbox != "" && o.sandbox != sandbox {
				continue
			}
			if why := lacking[sandbox]; why != "" {
				fmt.Fprintf(os.Stderr, "left out: %s as %s: %s\n", sandbox, as, why)
				continue
			}
			out = append(out, key{sandbox: sandbox, user: user})
		}
	}
	if len(out) == 0 {
		out = append(out, key{sandbox: "off"})
	}
	return out
}

func tell(c cell, s scenario) {
	mark := "  "
	if c.wrong(s) {
		mark = "!!"
	}
	as := "self"
	if c.user != 0 {
		as = "nobody"
	}
	fmt.Printf("%s %-8s %-42s %-5s %-10s %-6s %5.1fs  %.160s\n", mark, c.outcome, c.scenario, c.mode, c.sandbox, as, c.took.Seconds(), strings.ReplaceAll(c.why, "\n", " | "))
	if c.wrong(s) && c.dir != "" {
		fmt.Printf("            %s\n", c.dir)
	}
	if s.open() && !c.wrong(s) && c.outcome != skipped {
		fmt.Printf("            improved: the case is recorded as open: %s\n", s.text("open"))
	}
}

// report prints and writes the table, and returns an error if something is
// accepted that must not be, or refused that must not be.
func (o options) report(byName map[string]scenario, cells []cell, b *bench) error {
	page, line := table(byName, cells), summary(byName, cells)
	fmt.Printf("\n%s\n%s\n", page, line)
	if o.write != "" {
		if err := marks.Insert(o.write, "make cheats", page+"\n"+line); err != nil {
			return err
		}
	}
	if o.summary != "" {
		if err := marks.Insert(o.summary, "make cheats", line); err != nil {
			return err
		}
	}
	wrong := 0
	for _, c := range cells {
		if c.wrong(byName[c.scenario]) {
			wrong++
		}
	}
	if !o.keep && wrong == 0 {
		if err := os.RemoveAll(b.dir); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d cells are not as they should be (%s, %s)", wrong, len(cells), b.dir, time.Now().Format(time.TimeOnly))
	}
	return nil
}
