package config

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// GateFlag is one --gate NAME[@scope][=N].
type GateFlag struct {
	Name string
	// Scoped: only the files of --scope count.
	Scoped bool
	// Threshold is the floor of a gate that measures; both are unset without =N.
	Threshold *float64
	Baseline  bool
}

// ParseGateFlag reads NAME, NAME=80, NAME=80% or NAME=baseline, each also with
// NAME@scope.
func ParseGateFlag(s string) (GateFlag, error) {
	name, floor, has := strings.Cut(s, "=")
	fail := func(p *problem) (GateFlag, error) {
		return GateFlag{}, &Error{File: "--gate", Message: p.message, Hint: p.hint}
	}
	name, mark, marked := strings.Cut(name, "@")
	if marked && mark != "scope" {
		return fail(problemf("write "+name+"@scope", "%s is not valid after @", clip(mark)))
	}
	if p := checkName(name); p != nil {
		return fail(p)
	}
	if !has || floor == "baseline" {
		return GateFlag{Name: name, Scoped: marked, Baseline: has}, nil
	}
	v, p := percent(floor)
	if p != nil {
		return fail(p)
	}
	return GateFlag{Name: name, Scoped: marked, Threshold: &v}, nil
}

// SelectGates picks the gates that the flags name, in the flags' order, out of
// those that are configured or were detected, and sets their floors. A gate that a
// person asks for is hard and not optional, whatever the file says: a run passes
// only if it passes.
func SelectGates(have []loop.Gate, flags []GateFlag) ([]loop.Gate, error) {
	var errs Errors
	var picked []loop.Gate
	for i, f := range flags {
		g, e := f.pick(have)
		if slices.ContainsFunc(flags[:i], func(o GateFlag) bool { return o.Name == f.Name }) {
			e = &Error{File: "--gate", Message: clip(f.Name) + " was given twice", Hint: "keep one of them"}
		}
		if e != nil {
			errs = append(errs, e)
			continue
		}
		picked = append(picked, g)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return picked, nil
}

func (f GateFlag) pick(have []loop.Gate) (loop.Gate, *Error) {
	names := make([]string, len(have))
	for i, g := range have {
		names[i] = g.Name
		if g.Name != f.Name {
			continue
		}
		if e := f.floorOf(g); e != nil {
			return g, e
		}
		if f.Scoped && g.Kind != loop.KindCoverage {
			return g, &Error{File: "--gate", Message: fmt.Sprintf("the gate %s is of kind %s and cannot be limited to the scope", g.Name, g.Kind), Hint: "write --gate " + g.Name}
		}
		g.Level, g.Optional = loop.Hard, false
		g.Scoped = g.Scoped || f.Scoped
		if f.Threshold != nil {
			g.Threshold, g.Baseline = f.Threshold, false
		}
		if f.Baseline {
			g.Threshold, g.Baseline = nil, true
		}
		return g, nil
	}
	if f.Name == string(loop.KindVisual) && f.Threshold == nil && !f.Baseline && !f.Scoped {
		// Its images are often what the work will make: there is nothing to detect yet.
		return loop.Gate{Name: f.Name, Kind: loop.KindVisual, Level: loop.Hard, Timeout: loop.GateTimeout(loop.KindVisual)}, nil
	}
	if f.Name == string(loop.KindMutation) && !f.Scoped {
		return f.mutation(have)
	}
	e := &Error{File: "--gate", Message: "there is no gate " + clip(f.Name), Hint: "add it to " + FileName + " or use --until"}
	if near := nearest(f.Name, append(names, string(loop.KindMutation), string(loop.KindVisual))); near != "" {
		e.Hint = `did you mean "` + near + `"?`
	} else if len(names) > 0 {
		e.Hint = "there are: " + strings.Join(names, ", ")
	}
	return loop.Gate{}, e
}

// floorOf is the mistake of a floor that the gate cannot have.
func (f GateFlag) floorOf(g loop.Gate) *Error {
	e := &Error{File: "--gate", Hint: "write --gate " + g.Name}
	switch {
	case f.Baseline && g.Kind == loop.KindMutation:
		e.Message, e.Hint = noBaseline, "write --gate "+g.Name+"=80"
	case (f.Threshold != nil || f.Baseline) && g.Kind != loop.KindCoverage && g.Kind != loop.KindMutation:
		e.Message = fmt.Sprintf("the gate %s is of kind %s and has no floor", g.Name, g.Kind)
	default:
		return nil
	}
	return e
}

const noBaseline = "the base has no work in which mutants are made"

// mutation is a gate of that kind where none is configured: it has the command of the first
// gate that runs tests.
func (f GateFlag) mutation(have []loop.Gate) (loop.Gate, *Error) {
	at := slices.IndexFunc(have, func(g loop.Gate) bool { return g.Kind == loop.KindTests && !g.Hidden })
	if at < 0 {
		return loop.Gate{}, &Error{File: "--gate", Message: "there is no gate of kind tests whose command could run on mutants", Hint: "add one to " + FileName}
	}
	g := have[at]
	g.Name, g.Kind, g.Level, g.Optional, g.Flaky = f.Name, loop.KindMutation, loop.Hard, false, loop.Flaky{}
	if g.Threshold = f.Threshold; f.Baseline {
		return g, f.floorOf(g)
	}
	return g, nil
}
