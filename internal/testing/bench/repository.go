package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/store"
)

// repository creates a repository with n files of about a kilobyte, a hundred
// in a folder, and a ralph.yaml in which no detector stops a loop.
func (b *bench) repository(ctx context.Context, name string, n int) (string, error) {
	dir := filepath.Join(b.dir, name)
	for i := range n {
		text := strings.Repeat(fmt.Sprintf("line of file %d\n", i), 64)
		if err := write(filepath.Join(dir, fmt.Sprintf("d%02d", i/100), fmt.Sprintf("f%02d.txt", i%100)), text); err != nil {
			return "", err
		}
	}
	if err := write(filepath.Join(dir, "ralph.yaml"), patient); err != nil {
		return "", err
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"commit", "--quiet", "--message", "base"}} {
		if _, err := must(ctx, b.gitIn(dir, args...)); err != nil {
			return "", err
		}
	}
	return dir, nil
}

const patient = `version: 1
escalation: {same_error: 1000, regression: 1000, no_change: 1000, plateau: 1000}
`

func (b *bench) gitIn(dir string, args ...string) proc.Command {
	return proc.Command{Argv: append([]string{"git"}, args...), Dir: dir, Env: b.env(b.state())}
}

func (b *bench) ralphIn(dir string, args ...string) proc.Command {
	return proc.Command{Argv: append([]string{b.ralph}, args...), Dir: dir, Env: b.env(b.state())}
}

// newest returns the newest loop of a repository and its events.
func newest(ctx context.Context, repo string) (st loop.State, events []store.Event, err error) {
	s, err := store.Open(ctx, memoryOf(repo), store.Options{ReadOnly: true})
	if err != nil {
		return st, nil, err
	}
	defer s.Close()
	list, err := s.Entries(ctx, store.Filter{Limit: 1})
	if err != nil || len(list) == 0 {
		return st, nil, fmt.Errorf("find the newest loop of %s: %d found: %w", repo, len(list), err)
	}
	record, err := s.Read(ctx, list[0].ID)
	if err != nil {
		return st, nil, err
	}
	events, err = s.Events(ctx, list[0].ID, 0, 0)
	return record.State, events, err
}

// eventsOf returns the events of a loop.
func eventsOf(ctx context.Context, repo, id string) ([]store.Event, error) {
	s, err := store.Open(ctx, memoryOf(repo), store.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Events(ctx, id, 0, 0)
}

// memoryOf returns the store's folder of a repository.
func memoryOf(repo string) string { return filepath.Join(repo, ".git", "ralph") }

// event finds the first event of a name.
func event(events []store.Event, name string) (store.Event, error) {
	for _, e := range events {
		if e.Name == name {
			return e, nil
		}
	}
	return store.Event{}, fmt.Errorf("the loop has no event %s", name)
}
