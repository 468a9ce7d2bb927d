package local

import (
	"encoding/json"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/secret"
)

// masked is a command without the secrets of the question in it: questions are kept,
// shown and sent to people. One that cannot be read is refused where it is carried out.
func masked(c engine.Command) engine.Command {
	var q loop.Question
	if c.Kind != engine.Ask || json.Unmarshal([]byte(c.Text), &q) != nil {
		return c
	}
	m := secret.New()
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
