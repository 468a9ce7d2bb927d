package review

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/loop"
)

// Consultation asks for a text instead of a verdict: a draft, or findings about a
// plan.
type Consultation struct {
	// Agents are asked in this order until one gives an answer that can be used.
	Agents []Reviewer
	// Tries bounds the requests to one agent.
	Tries int
	// Page is the prompt. The nonce marks the answer; wrong is why the last one
	// could not be used, empty at first.
	Page func(nonce, wrong string) string
	// Read takes the answer, or returns why it cannot be used, in words for the
	// agent.
	Read func(text, nonce string) error
	Desk Desk
}

// Consulted is how a consultation ended.
type Consulted struct {
	// By is the agent whose answer was taken; its Name is empty where none was.
	By loop.Agent
	// Tries of all agents together. Failures are why the others could not be
	// used, one line a try.
	Tries    int
	Failures []string
	// Limited: the last agent's usage limit is spent.
	Limited bool
	Usage   loop.Usage
	Model   string
	Sandbox loop.Holder
}

// Answered reports whether an answer could be used.
func (c Consulted) Answered() bool { return c.By.Name != "" }

// Consult asks. An error means that ralph itself failed, or that ctx was
// cancelled; agents that fail are in the result.
func Consult(ctx context.Context, c Consultation) (Consulted, error) {
	var done Consulted
	if len(c.Agents) == 0 {
		return done, errors.New("review: no agent to ask")
	}
	for i, v := range c.Agents {
		if v.Driver == nil {
			done.fail(v, fmt.Sprintf("no driver %q in this program", v.Agent.Use))
			continue
		}
		if answered, err := c.ask(ctx, v, i+1, &done); answered || err != nil {
			return done, err
		}
	}
	return done, nil
}

// ask asks one agent until its answer can be used.
func (c Consultation) ask(ctx context.Context, v Reviewer, seat int, done *Consulted) (bool, error) {
	if until, why := c.Desk.held(ctx, v.Agent); !until.IsZero() {
		done.Limited = true
		done.fail(v, "not asked: "+why)
		return false, nil
	}
	wrong := ""
	for try := 1; try <= c.Tries; try++ {
		done.Tries++
		nonce := newNonce()
		got, err := c.Desk.sit(ctx, v, seat, try, c.Page(nonce, wrong))
		if err != nil {
			return false, err
		}
		done.count(got)
		if got.refused != "" {
			done.fail(v, got.refused)
			return false, nil
		}
		again := false
		if wrong, again = c.hear(got, nonce); wrong == "" {
			done.By = v.Agent
			return true, nil
		}
		if done.fail(v, wrong); !again || try == c.Tries {
			return false, nil
		}
		if got.out.End != loop.EndDone {
			wrong = ""
			if err := c.Desk.pause(ctx); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// hear returns why an answer cannot be used, empty where it can, and whether to
// ask again.
func (c Consultation) hear(got heard, nonce string) (wrong string, again bool) {
	switch out := got.out; out.End {
	case loop.EndDone:
	case loop.EndTransient, loop.EndInterrupted, loop.EndFailed:
		return line(string(out.End), out.Message), true
	default:
		return line(string(out.End), out.Message), false
	}
	if got.changed != "" {
		return "files were changed, which is not part of the answer: " + got.changed, true
	}
	if err := c.Read(got.text, nonce); err != nil {
		return err.Error(), true
	}
	return "", false
}

func (c *Consulted) fail(v Reviewer, why string) {
	c.Failures = append(c.Failures, v.Agent.Name+": "+why)
}

func (c *Consulted) count(got heard) {
	c.Usage, c.Sandbox, c.Limited = c.Usage.Add(got.out.Usage.Sound()), got.by, got.out.End == loop.EndLimit
	if got.out.Model != "" {
		c.Model = got.out.Model
	}
}
