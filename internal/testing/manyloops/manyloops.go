// Package manyloops fills a store with ended loops, for benchmarks and tests of
// commands that list them. It is not part of the product.
package manyloops

import (
	"context"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/store"
)

// Fill records n copies of an ended loop in the store in dir, which is
// <git common dir>/ralph. The copies are named after the loop, with the numbers from 1
// on, and have none of its files.
func Fill(ctx context.Context, dir, id string, n int) error {
	s, err := store.Open(ctx, dir, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	r, err := s.Read(ctx, id)
	if err != nil {
		return err
	}
	if !r.State.Status.Terminal() {
		return fmt.Errorf("copy loop %s: it is %s and has not ended", id, r.State.Status)
	}
	for i := range n {
		r.State.ID = fmt.Sprintf("%s-%d", id, i+1)
		if err := record(ctx, s, r.State); err != nil {
			return fmt.Errorf("record loop %s: %w", r.State.ID, err)
		}
	}
	return nil
}

func record(ctx context.Context, s *store.Store, ended loop.State) error {
	if ended.Mode == loop.AgentDriven {
		return s.Enter(ctx, ended, store.Admission{})
	}
	lease, err := s.Create(ctx, ended, store.Admission{})
	if err != nil {
		return err
	}
	return lease.Release(ctx)
}
