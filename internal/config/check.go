package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// complete fills in values that follow from other keys.
func (r *Resolved) complete(infer func(run string) (loop.Kind, string)) {
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
			if e.Value.Kind == "command" && infer != nil {
				kind, parse := infer(string(e.Value.Run))
				e.Value.Kind, e.Value.Parse = Kind(kind), Parser(parse)
			}
		}
		if e.Value.Level == "" {
			e.Value.Level = "hard"
		}
		r.deadline(&e.Value.Timeout, loop.GateTimeout(loop.Kind(e.Value.Kind)))
	}
}

// deadline fills in the built-in deadline where none was given, and its hard part
// where only a soft one was.
func (*Resolved) deadline(d *Deadline, builtIn loop.Deadline) {
	switch {
	case *d == Deadline{}:
		*d = Deadline(builtIn)
	case d.Hard == 0:
		d.Hard = builtIn.Hard
	}
}

// inferKind decides by the name of the gate, then by keys that only one kind has.
func inferKind(name string, g Gate) Kind {
	switch {
	case slices.Contains(gateKinds, name):
		return Kind(name)
	case g.Mutants.set:
		return "mutation"
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

// check finds mistakes between keys.
func (r *Resolved) check() Errors {
	c := checker{r: r, errs: r.sections(nil)}
	c.review()
	c.notify()
	c.engine()
	for _, e := range r.Settings.Prices {
		c.price("prices."+e.Name, e.Value)
	}
	c.deadline("limits.loop_timeout", r.Settings.Limits.LoopTimeout)
	c.deadline("limits.implement_timeout", r.Settings.Limits.ImplementTimeout)
	c.deadline("limits.session_timeout", r.Settings.Limits.SessionTimeout)
	return c.errs
}

// sections finds mistakes between the keys of one agent, or of one gate, except in those of
// which a key could not be read.
func (r *Resolved) sections(unread Errors) Errors {
	c := checker{r: r}
	for _, e := range r.Settings.Agents {
		if path := "agents." + e.Name; !unread.within(path) {
			c.agent(path, e.Value)
		}
	}
	for _, e := range r.Settings.Gates {
		if path := "gates." + e.Name; !unread.within(path) {
			c.gate(path, e.Value)
		}
	}
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
	if g.Kind == "mutation" && g.Threshold.Baseline {
		c.fail(path+".threshold", noBaseline, "write a share in per cent, such as `threshold: 80`")
	}
	if most := 200; g.Mutants.Int() > most {
		c.fail(path+".mutants", fmt.Sprintf("%d is above the maximum of %d", g.Mutants.Int(), most), "each mutant is one run of the command")
	}
	for _, only := range []struct {
		key   string
		given bool
		kinds []Kind
	}{
		{"parse", g.Parse != "", []Kind{"tests", "coverage", "mutation"}},
		{"min_tests", g.MinTests.set, []Kind{"tests", "coverage", "mutation"}},
		{"report", g.Report != "", []Kind{"coverage"}},
		{"threshold", g.Threshold != Threshold{}, []Kind{"coverage", "mutation"}},
		{"mutants", g.Mutants.set, []Kind{"mutation"}},
		{"scope", g.Scope.On(), []Kind{"coverage"}},
		{"images", g.Images != "", []Kind{"visual"}},
		{"min", g.Min.set, []Kind{"visual"}},
		{"ask", g.Ask != "", []Kind{"human"}},
	} {
		if only.given && !slices.Contains(only.kinds, g.Kind) {
			c.fail(path+"."+only.key, fmt.Sprintf("a gate of kind %s has no %s", g.Kind, only.key), fmt.Sprintf("delete the key, or write `kind: %s`", only.kinds[0]))
		}
	}
	c.hidden(path, g)
	c.deadline(path+".timeout", g.Timeout)
	c.flaky(path+".flaky", g.Flaky)
}

// flaky: a quarantine has an end and an owner.
func (c *checker) flaky(path string, f Flaky) {
	const most = 10
	if f.Retries.Int() > most {
		c.fail(path+".retries", fmt.Sprintf("%d is above the maximum of %d", f.Retries.Int(), most), "a gate that needs more retries proves nothing")
	}
	if f.QuarantineUntil == "" {
		return
	}
	if _, err := time.Parse(time.DateOnly, string(f.QuarantineUntil)); err != nil {
		c.fail(path+".quarantine_until", fmt.Sprintf("%q is not a date", f.QuarantineUntil), "write a day, such as 2026-12-31")
	}
	if f.Owner == "" || f.Retries.Int() == 0 {
		c.fail(path+".quarantine_until", "a quarantine needs an owner and retries", "add `owner: NAME` and `retries: 1`")
	}
}

func (c *checker) deadline(key string, d Deadline) {
	if d.Soft > d.Hard {
		c.fail(key, fmt.Sprintf("soft %s is above the built-in hard limit of %s", short(d.Soft), short(time.Duration(d.Hard))), "give hard too")
	}
}

func (c *checker) agent(path string, a Agent) {
	if a.Use == "" {
		c.fail(path, "the kind of agent is missing", "add `use: claude` or another known agent, `use: acp`, `use: api`, `use: command`, `use: human` or `use: script`")
		return
	}
	c.program(path, a)
	if a.Use == "api" {
		c.provider(path, a)
	}
	working := append(natives, "acp")
	models := append(natives, "api")
	for _, only := range []struct {
		key   string
		given bool
		kinds []string
	}{
		{"model", a.Model != "", models},
		{"permissions", a.Permissions != "", working},
		{"args", len(a.Args) > 0, natives},
		{"max_turns", a.MaxTurns.set, working},
		{"max_same_calls", a.MaxSameCalls.set, working},
		{"stall", a.Stall != 0, append(working, "api")},
		{"provider", a.Provider != "", []string{"api"}},
		{"base_url", a.BaseURL != "", []string{"api"}},
		{"key_env", a.KeyEnv != "", []string{"api"}},
		{"max_tokens", a.MaxTokens.set, []string{"api"}},
	} {
		if only.given && !slices.Contains(only.kinds, string(a.Use)) {
			c.fail(path+"."+only.key, fmt.Sprintf("an agent of kind %s has no %s", a.Use, only.key), "delete the key, or use one of "+strings.Join(only.kinds, ", "))
		}
	}
}

// program checks what an agent runs: most kinds need a program.
func (c *checker) program(path string, a Agent) {
	has := len(a.Run.Argv) > 0
	switch {
	case a.Use == "human" && has:
		c.fail(path+".run", "a person runs no command", "delete the key, or write `use: command`")
	case a.Use == "api" && has:
		c.fail(path+".run", "a provider's interface runs no command", "delete the key, or write `use: command`")
	case a.Use == "acp" && a.Run.Shell:
		c.fail(path+".run", "the program must be a list of words", "write run: [gemini, --acp]")
	case a.Run.Shell && slices.Contains(natives, string(a.Use)) && strings.ContainsAny(a.Run.Argv[0], " \t\n"):
		c.fail(path+".run", "the program must be one word, or a list of words", "write run: "+flow(strings.Fields(a.Run.Argv[0])))
	case a.Use == "acp" && !has:
		c.fail(path, "the program is missing", "add run, such as run: [gemini, --acp]")
	case (a.Use == "command" || a.Use == "script") && !has:
		c.fail(path, "the program is missing", `add run, such as run: ["my-agent", "--non-interactive"]`)
	}
}

func (c *checker) provider(path string, a Agent) {
	if a.Provider == "" {
		c.fail(path, "the provider is missing", "add provider: anthropic, openai or ollama")
	}
	if a.Model == "" {
		c.fail(path, "the model is missing", "add model, in the provider's words")
	}
}
