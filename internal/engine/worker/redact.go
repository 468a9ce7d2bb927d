package worker

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// leastKey is how long a value must be to be struck out: shorter ones stand in
// ordinary words.
const leastKey = 8

// redactor removes keys from the output of agents. A refused program may echo
// its key, and its message stands in the record, in events and in views. The
// raw output file keeps it.
type redactor struct{ *strings.Replacer }

// redactorFor knows the values of the variables that have keys, by their names
// or because an agent's key_env names them. A longer one goes before one that
// it holds.
func redactorFor(env []string, agents ...loop.Agent) redactor {
	var keys []string
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		named := slices.ContainsFunc(agents, func(a loop.Agent) bool { return a.KeyEnv != "" && a.KeyEnv == name })
		if value = strings.TrimSpace(value); len(value) >= leastKey && (named || secret(name)) {
			keys = append(keys, value)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, key := range keys {
		pairs = append(pairs, key, "(key)")
	}
	return redactor{strings.NewReplacer(pairs...)}
}

func (k redactor) event(e agent.Event) agent.Event {
	e.Text, e.Tool, e.Path, e.Rule = k.Replace(e.Text), k.Replace(e.Tool), k.Replace(e.Path), k.Replace(e.Rule)
	return e
}

func (k redactor) outcome(o loop.Outcome) loop.Outcome {
	o.Message, o.Words = k.Replace(o.Message), k.Replace(o.Words)
	for i, d := range o.Denials {
		o.Denials[i] = loop.Denial{Tool: k.Replace(d.Tool), Rule: k.Replace(d.Rule)}
	}
	if q := o.Question; q != nil {
		q.Text, q.Default = k.Replace(q.Text), k.Replace(q.Default)
		for i := range q.Options {
			q.Options[i] = k.Replace(q.Options[i])
		}
	}
	return o
}

// redactFor removes keys from the output of reviewers.
func (w *Worker) redactFor(all []loop.Agent) func(string) string {
	env := w.Env.Agent()
	for _, a := range all {
		for name, value := range a.Env {
			env = append(env, name+"="+value)
		}
	}
	return redactorFor(env, all...).Replace
}
