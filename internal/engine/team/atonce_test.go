package team

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"ralph/internal/engine"
)

// slow are objects that answer a request to read once they are let, and count those that wait.
type slow struct {
	Objects
	waits, asked atomic.Int64
	answer       chan error
}

func (s *slow) Read(ctx context.Context, key string) ([]byte, error) {
	s.asked.Add(1)
	s.waits.Add(1)
	err := <-s.answer
	s.waits.Add(-1)
	if err != nil {
		return nil, err
	}
	return s.Objects.Read(ctx, key)
}

// published are the files of a loop of so many attempts, and the lists of some owners.
func published(t *testing.T, attempts, owners int) Folder {
	t.Helper()
	shared, dir := Folder(t.TempDir()), t.TempDir()
	for epoch := range owners {
		for n := range attempts {
			write(t, filepath.Join(dir, "attempts", fmt.Sprintf("%03d", n), "agent.txt"), fmt.Sprint(n, " of owner ", epoch))
		}
		ok(t, (&Files{In: shared, Project: "p"}).Put(t.Context(), Run{ID: "a"}, int64(epoch+1), dir))
	}
	return shared
}

// TestFetchesAtOnce: of many lists, and of many files, a bounded number is asked for at once. What
// arrives is as the newest owner left it.
func TestFetchesAtOnce(t *testing.T) {
	t.Parallel()
	const attempts, owners = 3*mostAtOnce + 1, mostAtOnce + 2
	shared, dir := published(t, attempts, owners), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		in, got := &slow{Objects: shared, answer: make(chan error)}, make(chan error, 1)
		go func() { got <- (&Files{In: in, Project: "p"}).Get(t.Context(), Run{ID: "a"}, dir) }()
		for n := range owners + attempts {
			synctest.Wait()
			left := owners - n
			if left <= 0 {
				left = owners + attempts - n
			}
			if want := int64(min(mostAtOnce, left)); in.waits.Load() != want {
				t.Fatalf("after %d answers %d requests are in flight, not %d", n, in.waits.Load(), want)
			}
			in.answer <- nil
		}
		ok(t, <-got)
	})
	for n := range attempts {
		has(t, dir, filepath.Join("attempts", fmt.Sprintf("%03d", n), "agent.txt"), fmt.Sprint(n, " of owner ", owners-1))
	}
}

// TestFetchFails: a file that cannot be had fails the whole, with the words that a single request
// has; those that wait for their turn are not asked for, and the next call gets what is missing.
func TestFetchFails(t *testing.T) {
	t.Parallel()
	shared, dir := published(t, 3*mostAtOnce, 1), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		in, got := &slow{Objects: shared, answer: make(chan error)}, make(chan error, 1)
		go func() { got <- (&Files{In: in, Project: "p"}).Get(t.Context(), Run{ID: "a"}, dir) }()
		in.answer <- nil // the list
		synctest.Wait()
		in.answer <- errors.New("the bucket is away")
		synctest.Wait()
		for range mostAtOnce - 1 {
			in.answer <- nil
		}
		err := <-got
		if _, is := errors.AsType[engine.ErrFiles](err); !is || !strings.HasPrefix(err.Error(), "get the files of") || !strings.HasSuffix(err.Error(), "the bucket is away") {
			t.Errorf("%v", err)
		}
		if asked := in.asked.Load(); asked != 1+mostAtOnce {
			t.Errorf("%d requests were made", asked)
		}
	})
	ok(t, (&Files{In: shared, Project: "p"}).Get(t.Context(), Run{ID: "a"}, dir))
	for n := range 3 * mostAtOnce {
		has(t, dir, filepath.Join("attempts", fmt.Sprintf("%03d", n), "agent.txt"), fmt.Sprint(n, " of owner 0"))
	}
}
