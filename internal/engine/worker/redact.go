package worker

import (
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
	secrets "ralph/internal/secret"
)

// redactor removes secrets from all output that is kept: a refused program may echo
// its key, and its message stands in the record, in events, in files and in views.
type redactor struct{ *secrets.Masker }

// redactorFor knows the values of the variables that have keys, by their names
// or because an agent's key_env names them, the passwords in addresses, and the
// well-known forms of keys.
func redactorFor(env []string, agents ...loop.Agent) redactor {
	var keys []string
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		named := slices.ContainsFunc(agents, func(a loop.Agent) bool { return a.KeyEnv != "" && a.KeyEnv == name })
		if named || secret(name) {
			keys = append(keys, value)
		}
		keys = append(keys, urlPasswords(value)...)
	}
	return redactor{secrets.New(keys...)}
}

func (k redactor) event(e agent.Event) agent.Event {
	e.Text, e.Tool, e.Path, e.Rule = k.Mask(e.Text), k.Mask(e.Tool), k.Mask(e.Path), k.Mask(e.Rule)
	return e
}

func (k redactor) outcome(o loop.Outcome) loop.Outcome {
	o.Message, o.Words = k.Mask(o.Message), k.Mask(o.Words)
	for i, d := range o.Denials {
		o.Denials[i] = loop.Denial{Tool: k.Mask(d.Tool), Rule: k.Mask(d.Rule)}
	}
	if q := o.Question; q != nil {
		q.Text, q.Default = k.Mask(q.Text), k.Mask(q.Default)
		for i := range q.Options {
			q.Options[i] = k.Mask(q.Options[i])
		}
	}
	return o
}

// redactFor knows the keys of the given agents, and those of the run.
func (w *Worker) redactFor(all ...loop.Agent) redactor {
	env := w.Env.Agent()
	for _, a := range all {
		for name, value := range a.Env {
			env = append(env, name+"="+value)
		}
	}
	return redactorFor(env, all...)
}

// redactGate knows the keys of a loop and those in the environment of a gate: its
// output is kept, and goes into prompts.
func (w *Worker) redactGate(s loop.State, g loop.Gate) *secrets.Masker {
	env := w.Env.Agent()
	for _, vars := range []map[string]string{s.Agent.Env, g.Env} {
		for name, value := range vars {
			env = append(env, name+"="+value)
		}
	}
	return redactorFor(env, append([]loop.Agent{s.Agent}, s.Agents...)...).Masker
}

// MaskerOf knows the keys of the agents of a loop, and those in this environment.
func (w *Worker) MaskerOf(s loop.State) *secrets.Masker { return w.redactGate(s, loop.Gate{}) }

// Masker knows the keys of an environment.
func Masker(env []string) *secrets.Masker { return redactorFor(env).Masker }
