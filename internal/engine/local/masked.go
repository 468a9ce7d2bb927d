package local

import (
	"context"
	"encoding/json"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/secret"
)

// Masked returns a command for a loop without the secrets of the question in it:
// questions are kept, shown and sent to people. One that cannot be read is refused where
// it is carried out.
func (e *Engine) Masked(s loop.State, c engine.Command) engine.Command {
	return masked(e.masker(s), c)
}

// masker knows the secrets of this environment and of a loop's agents.
func (e *Engine) masker(s loop.State) *secret.Masker { return e.workerIn("").MaskerOf(s) }

// maskerOf is masker for the loop of that name; "" and one that is not known are none.
func (e *Engine) maskerOf(ctx context.Context, id string) *secret.Masker {
	if id == "" {
		return e.masker(loop.State{})
	}
	r, err := e.loops.Read(ctx, id)
	if err != nil {
		return e.masker(loop.State{})
	}
	return e.masker(r.State)
}

func masked(m *secret.Masker, c engine.Command) engine.Command {
	var q loop.Question
	if c.Kind != engine.Ask || json.Unmarshal([]byte(c.Text), &q) != nil {
		return c
	}
	q.Text, q.Default, q.Options = m.Mask(q.Text), m.Mask(q.Default), slices.Clone(q.Options)
	for n := range q.Options {
		q.Options[n] = m.Mask(q.Options[n])
	}
	if q.Dispute != nil {
		q.Dispute.Why = m.Mask(q.Dispute.Why)
	}
	if data, err := json.Marshal(q); err == nil {
		c.Text = string(data)
	}
	return c
}
