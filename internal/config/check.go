package config

import (
	"fmt"
	"slices"
	"time"

	"ralph/internal/loop"
)

// complete fills in what follows from other keys.
func (r *Resolved) complete() {
	l := loop.DefaultLimits()
	if fixes := r.Settings.TestFix.Max.Int(); fixes >= l.MaxIterations && r.Origin("limits.max_iterations").Layer == BuiltIn {
		r.Settings.Limits.MaxIterations = whole[one](fixes + 1)
	}
	r.deadline(&r.Settings.Limits.LoopTimeout, l.Loop)
	r.deadline(&r.Settings.Limits.ImplementTimeout, l.Attempt)
	r.deadline(&r.Settings.Limits.SessionTimeout, l.Session)
	for i := range r.Settings.Agents {
		e := &r.Settings.Agents[i]
		if e.Value.Use == "" && slices.Contains(natives, e.Name) {
			e.Value.Use = Driver(e.Name)
		}
	}
	r.deadline(&r.Settings.Review.Timeout, loop.GateTimeout(loop.KindReview))
	for i := range r.Settings.Gates {
		e := &r.Settings.Gates[i]
		if e.Value.Kind == "" {
			e.Value.Kind = inferKind(e.Name, e.Value)
		}
		if e.Value.Level == "" {
			e.Value.Level = "hard"
		}
		r.deadline(&e.Value.Timeout, loop.GateTimeout(loop.Kind(e.Value.Kind)))
	}
}

// deadline takes all of the built-in one where nothing was said, and its hard
// part where only a soft one was.
func (*Resolved) deadline(d *Deadline, builtIn loop.Deadline) {
	switch {
	case *d == Deadline{}:
		*d = Deadline(builtIn)
	case d.Hard == 0:
		d.Hard = builtIn.Hard
	}
}

// inferKind goes by the five names, then by keys that only one kind has.
func inferKind(name string, g Gate) Kind {
	switch {
	case slices.Contains(gateKinds, name):
		return Kind(name)
	case g.Threshold != Threshold{} || g.Report != "":
		return "coverage"
	case g.Ask != "":
		return "human"
	case g.Images != "" || g.Min.set:
		return "visual"
	case g.Parse != "" || g.MinTests.set:
		return "tests"
	}
	return "command"
}

// check finds what only shows when all layers are together.
func (r *Resolved) check() Errors {
	c := checker{r: r}
	for _, e := range r.Settings.Agents {
		c.agent("agents."+e.Name, e.Value)
	}
	for _, e := range r.Settings.Gates {
		c.gate("gates."+e.Name, e.Value)
	}
	c.review()
	for _, e := range r.Settings.Prices {
		c.price("prices."+e.Name, e.Value)
	}
	c.deadline("limits.loop_timeout", r.Settings.Limits.LoopTimeout)
	c.deadline("limits.implement_timeout", r.Settings.Limits.ImplementTimeout)
	c.deadline("limits.session_timeout", r.Settings.Limits.SessionTimeout)
	return c.errs
}

type checker struct {
	r    *Resolved
	errs Errors
}

// fail reports a mistake at the place that gave the key.
func (c *checker) fail(key, message, hint string) {
	o := c.r.Origin(key)
	c.errs = append(c.errs, &Error{File: o.File, Line: o.Line, Column: o.Column, Message: key + ": " + message, Hint: hint})
}

func (c *checker) price(path string, p Price) {
	if !p.Input.set || !p.Output.set {
		c.fail(path, "input and output are needed", "such as {input: 3, output: 15}")
	}
}

func (c *checker) gate(path string, g Gate) {
	if g.Kind == "human" && g.Run != "" {
		c.fail(path+".run", "a person runs no command", "delete the key, or put the question into ask")
	}
	if g.Run == "" && g.Kind != "visual" && g.Kind != "human" {
		c.fail(path, "the command is missing", "add run, such as `run: make test`")
	}
	if g.Kind == "coverage" && g.Threshold == (Threshold{}) {
		c.fail(path, "the floor is missing", "add `threshold: 80` or `threshold: baseline`")
	}
	for _, only := range []struct {
		key   string
		given bool
		kinds []Kind
	}{
		{"parse", g.Parse != "", []Kind{"tests", "coverage"}},
		{"min_tests", g.MinTests.set, []Kind{"tests", "coverage"}},
		{"report", g.Report != "", []Kind{"coverage"}},
		{"threshold", g.Threshold != Threshold{}, []Kind{"coverage"}},
		{"scope", g.Scope.On(), []Kind{"coverage"}},
		{"images", g.Images != "", []Kind{"visual"}},
		{"min", g.Min.set, []Kind{"visual"}},
		{"ask", g.Ask != "", []Kind{"human"}},
	} {
		if only.given && !slices.Contains(only.kinds, g.Kind) {
			c.fail(path+"."+only.key, fmt.Sprintf("a gate of kind %s has no %s", g.Kind, only.key), fmt.Sprintf("delete the key, or write `kind: %s`", only.kinds[0]))
		}
	}
	c.deadline(path+".timeout", g.Timeout)
}

func (c *checker) deadline(key string, d Deadline) {
	if d.Soft > d.Hard {
		c.fail(key, fmt.Sprintf("soft %s is above the built-in hard limit of %s", short(d.Soft), short(time.Duration(d.Hard))), "give hard too")
	}
}
