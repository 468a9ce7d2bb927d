package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ralph/internal/loop"
)

// ReadPlanSpec decodes the request of a plan, and refuses what Check does.
func ReadPlanSpec(id string, data []byte) (spec PlanSpec, err error) {
	if err = json.Unmarshal(data, &spec); err == nil {
		err = spec.Check()
	}
	if err == nil && spec.ID != id {
		err = fmt.Errorf("it is that of %q", spec.ID)
	}
	if err != nil {
		return PlanSpec{}, fmt.Errorf("the request of plan %s: %w", id, err)
	}
	return spec, nil
}

// Check refuses a request in which an id is not one, or does not stand for one plan: ids name
// folders and branches of the machine that drives the plan, and the request may come from a
// server.
func (s PlanSpec) Check() error {
	around := append(slices.Clone(s.Ancestors), s.ID)
	for i, id := range around {
		if err := loop.ValidID(id); err != nil {
			return err
		}
		if slices.Contains(around[:i], id) {
			return fmt.Errorf("plan %s is run in its own place", id)
		}
	}
	return checkInner(s.Inner, around, map[string]InnerPlan{})
}

// checkInner checks the plans in the places of a plan's tasks. Around are the plans around
// them, seen those of the request by their ids: many tasks may name the same plan. One that
// cannot be run, such as one that contains itself, tells why and is nothing else.
func checkInner(inner map[string]InnerPlan, around []string, seen map[string]InnerPlan) error {
	for _, name := range slices.Sorted(maps.Keys(inner)) {
		p := inner[name]
		err := loop.ValidID(p.ID)
		if err == nil && p.Wrong == "" {
			err = p.check(around, seen)
		}
		if err != nil {
			return fmt.Errorf("the plan %q in the place of a task: %w", name, err)
		}
	}
	return nil
}

func (p InnerPlan) check(around []string, seen map[string]InnerPlan) error {
	if slices.Contains(around, p.ID) {
		return fmt.Errorf("%s is the id of a plan around it", p.ID)
	}
	if other, twice := seen[p.ID]; twice && (other.File != p.File || !bytes.Equal(other.Text, p.Text)) {
		return fmt.Errorf("%s is the id of another plan of the request", p.ID)
	}
	seen[p.ID] = p
	return checkInner(p.Inner, append(slices.Clone(around), p.ID), seen)
}
