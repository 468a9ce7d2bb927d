package limits

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store"
)

// clock is the time of a test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func book(t *testing.T) (*Book, *clock) {
	t.Helper()
	c := &clock{now: noon}
	b := New(filepath.Join(t.TempDir(), "limits"), c.read, false)
	t.Cleanup(func() { _ = b.Close() })
	return b, c
}

// of is an account that no person named.
func of(account string) Account { return Account{Key: account, Label: "claude"} }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tell notes a spent limit.
func tell(t *testing.T, b *Book, account, loopID string, reset time.Time) {
	t.Helper()
	_, err := b.Told(t.Context(), of(account), loopID, Trouble{Health: loop.Limited, Reset: reset, Message: "spent"})
	must(t, err)
}

func ask(t *testing.T, b *Book, loop string) Answer {
	t.Helper()
	a, err := b.Ask(t.Context(), of("acc"), loop, false)
	must(t, err)
	return a
}

func TestNobodyIsHeldWithoutALimit(t *testing.T) {
	t.Parallel()
	b, _ := book(t)
	if a := ask(t, b, "a"); a != (Answer{}) {
		t.Errorf("%+v", a)
	}
	tell(t, b, "other", "a", noon.Add(time.Hour))
	if a := ask(t, b, "a"); a != (Answer{}) {
		t.Errorf("another account: %+v", a)
	}
}

// TestWhoOnlyAsksLeavesNothingBehind: a place where no limit was met stays empty,
// and a limit that another process tells of later is seen all the same.
func TestWhoOnlyAsksLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b, c := book(t)
	ask(t, b, "a")
	must(t, b.Lift(t.Context(), of("acc")))
	if all, err := b.List(t.Context()); err != nil || len(all) != 0 || b.Mark(t.Context()) != "" {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := os.Stat(b.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("asking made %s: %v", b.dir, err)
	}
	other := New(b.dir, c.read, false)
	t.Cleanup(func() { _ = other.Close() })
	tell(t, other, "acc", "b", noon.Add(time.Hour))
	if a := ask(t, b, "a"); a.Until.IsZero() || b.Mark(t.Context()) == "" {
		t.Errorf("%+v", a)
	}
}

func TestResets(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		reset time.Time
		wait  time.Duration
		told  bool
	}{
		"in a day":      {noon.Add(24 * time.Hour), 24 * time.Hour, true},
		"in a moment":   {noon.Add(time.Millisecond), time.Millisecond, true},
		"missing":       {time.Time{}, time.Minute, false},
		"in the past":   {noon.Add(-time.Hour), time.Minute, false},
		"now":           {noon, time.Minute, false},
		"in a thousand": {noon.AddDate(1000, 0, 0), time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, _ := book(t)
			tell(t, b, "acc", "a", row.reset)
			k, err := b.Look(t.Context(), of("acc"))
			must(t, err)
			if !k.Until.Equal(noon.Add(row.wait)) || k.Told != row.told {
				t.Errorf("until %s, told %t", k.Until, k.Told)
			}
			a := ask(t, b, "b")
			if late := a.Until.Sub(k.Until); late < 0 || late > min(row.wait/10, time.Minute) || a.Message != "spent" {
				t.Errorf("held until %s, %s late: %q", a.Until, late, a.Message)
			}
		})
	}
}

// TestUnknownResetsAreTriedLessAndLessOften: but for ever, and others that were
// at work and tell of the same limit make nobody wait longer.
func TestUnknownResetsAreTriedLessAndLessOften(t *testing.T) {
	t.Parallel()
	b, c := book(t)
	for n, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		tell(t, b, "acc", "a", time.Time{})
		tell(t, b, "acc", "b", time.Time{})
		k, err := b.Look(t.Context(), of("acc"))
		must(t, err)
		if wait := k.Until.Sub(c.read()); wait != want*time.Minute {
			t.Errorf("try %d: %s", n, wait)
		}
		c.set(k.Until)
	}
	tell(t, b, "acc", "a", c.read().Add(5*time.Hour))
	tell(t, b, "acc", "b", time.Time{})
	if k, _ := b.Look(t.Context(), of("acc")); k.Until.Sub(c.read()) != 5*time.Hour {
		t.Errorf("a known reset was forgotten: %s", k.Until)
	}
}

// TestFiveLoopsWakeWithoutAStampede: one goes first, the others when it has
// worked, or after a while.
func TestFiveLoopsWakeWithoutAStampede(t *testing.T) {
	t.Parallel()
	for _, works := range []bool{true, false} {
		t.Run(fmt.Sprintf("works=%t", works), func(t *testing.T) {
			t.Parallel()
			b, c := book(t)
			tell(t, b, "acc", "0", noon.Add(time.Hour))
			wakes := map[time.Time]bool{}
			for i := range 5 {
				wakes[ask(t, b, fmt.Sprint(i)).Until] = true
			}
			if len(wakes) != 5 {
				t.Errorf("%d loops wake at the same moment", 5-len(wakes)+1)
			}
			c.set(noon.Add(time.Hour))
			var first []string
			var mu sync.Mutex
			var all sync.WaitGroup
			for i := range 5 {
				all.Go(func() {
					a, err := b.Ask(t.Context(), of("acc"), fmt.Sprint(i), false)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					if a.Until.IsZero() {
						first = append(first, fmt.Sprint(i))
					} else if d := a.Until.Sub(c.read()); d <= 0 || d > 2*turn {
						t.Errorf("loop %d waits %s for the first", i, d)
					}
				})
			}
			all.Wait()
			if len(first) != 1 {
				t.Fatalf("%d went first: %v", len(first), first)
			}
			if a := ask(t, b, first[0]); !a.First {
				t.Errorf("the first was stopped by itself: %+v", a)
			}
			if works {
				must(t, b.Lift(t.Context(), of("acc")))
				for i := range 5 {
					if a := ask(t, b, fmt.Sprint(i)); a != (Answer{}) {
						t.Errorf("loop %d is held after it worked: %+v", i, a)
					}
				}
				return
			}
			_, err := b.Told(t.Context(), of("acc"), first[0], Trouble{Health: loop.Limited, Reset: noon.Add(3 * time.Hour), Message: "still spent"})
			must(t, err)
			for i := range 5 {
				if a := ask(t, b, fmt.Sprint(i)); a.Until.Before(noon.Add(3*time.Hour)) || a.Message != "still spent" {
					t.Errorf("loop %d: %+v", i, a)
				}
			}
		})
	}
}

// TestTheFirstDies: nobody waits for it for ever, and no two follow it at once.
func TestTheFirstDies(t *testing.T) {
	t.Parallel()
	b, c := book(t)
	tell(t, b, "acc", "a", noon.Add(time.Hour))
	c.set(noon.Add(2 * time.Hour))
	if a := ask(t, b, "a"); !a.First {
		t.Fatalf("%+v", a)
	}
	held := ask(t, b, "b")
	if held.Until.IsZero() {
		t.Fatal("two at once")
	}
	c.set(held.Until)
	if a := ask(t, b, "b"); !a.First {
		t.Errorf("%+v", a)
	}
	if a := ask(t, b, "c"); a.Until.IsZero() {
		t.Error("two at once after the first has died")
	}
}

func TestAPersonMayTryNow(t *testing.T) {
	t.Parallel()
	b, _ := book(t)
	tell(t, b, "acc", "a", noon.Add(time.Hour))
	a, err := b.Ask(t.Context(), of("acc"), "b", true)
	must(t, err)
	if !a.First || !a.Until.IsZero() {
		t.Errorf("%+v", a)
	}
	if a := ask(t, b, "c"); a.Until.IsZero() {
		t.Error("others were let in before it worked")
	}
	must(t, b.Lift(t.Context(), of("acc")))
	if a := ask(t, b, "c"); !a.Until.IsZero() {
		t.Errorf("held although it works: %+v", a)
	}
}

// TestAWaitIsSharedAndSurvives: another process's book says the same, also after
// this one is gone.
func TestAWaitIsSharedAndSurvives(t *testing.T) {
	t.Parallel()
	b, c := book(t)
	tell(t, b, "acc", "a", noon.Add(time.Hour))
	mark := b.Mark(t.Context())
	other := New(b.dir, c.read, false)
	if a := ask(t, other, "b"); a.Until.IsZero() {
		t.Error("another process knows nothing")
	}
	must(t, other.Lift(t.Context(), of("acc")))
	if b.Mark(t.Context()) == mark {
		t.Error("nothing tells that somebody wrote")
	}
	tell(t, other, "acc", "b", noon.Add(time.Hour))
	must(t, b.Close())
	must(t, other.Close())
	again := New(b.dir, c.read, false)
	defer again.Close()
	if a := ask(t, again, "c"); a.Until.IsZero() {
		t.Error("forgotten")
	}
}

// TestADamagedBookIsKept: it is reported each time and never made anew.
func TestADamagedBookIsKept(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "limits")
	must(t, os.MkdirAll(dir, 0o700))
	rubbish := bytes.Repeat([]byte("no database "), 1000)
	path := filepath.Join(dir, file)
	must(t, os.WriteFile(path, rubbish, 0o600))
	b := New(dir, time.Now, false)
	defer b.Close()
	_, err := b.Ask(t.Context(), of("acc"), "a", false)
	if _, ok := errors.AsType[*store.CorruptError](err); !ok {
		t.Errorf("asked: %v", err)
	}
	if _, err := b.Told(t.Context(), of("acc"), "a", Trouble{Health: loop.Limited}); err == nil {
		t.Error("noted in a damaged book")
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, rubbish) {
		t.Errorf("the file was changed: %v", err)
	}
}

func TestReadingMakesNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "limits")
	b := New(dir, time.Now, true)
	defer b.Close()
	if all, err := b.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it made its folder")
	}
}

// TestAThrottledAccount: it is probed by one loop at growing intervals, up to an
// hour; the provider's own time counts where it is later.
func TestAThrottledAccount(t *testing.T) {
	t.Parallel()
	b, c := book(t)
	throttled := func(loopID string, reset time.Time) Known {
		k, err := b.Told(t.Context(), of("acc"), loopID, Trouble{Health: loop.Throttled, Reset: reset, Message: "429", First: 5 * time.Second})
		must(t, err)
		return k
	}
	for n, want := range []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600} {
		throttled("b", time.Time{}) // it was at work too
		k := throttled("a", c.read().Add(2*time.Second))
		if wait := k.Until.Sub(c.read()); wait != want*time.Second || k.Health != loop.Throttled {
			t.Errorf("try %d: %s, %s", n, wait, k.Health)
		}
		if a := ask(t, b, "b"); a.Health != loop.Throttled || a.Until.Before(k.Until) {
			t.Errorf("try %d: %+v", n, a)
		}
		c.set(k.Until)
		if a := ask(t, b, "a"); !a.First {
			t.Errorf("try %d: %+v", n, a)
		}
	}
	k := throttled("a", c.read().Add(3*time.Hour))
	if wait := k.Until.Sub(c.read()); wait != 3*time.Hour || !k.Since.Equal(noon) {
		t.Errorf("asked to come back in three hours: %s, since %s", wait, k.Since)
	}
	must(t, b.Lift(t.Context(), of("acc")))
	for _, id := range []string{"a", "b"} {
		if a := ask(t, b, id); !a.Until.IsZero() {
			t.Errorf("%s waits although the account works: %+v", id, a)
		}
	}
}

// TestAnOutageDoesNotShortenALimit: a loop that was at work tells of an outage
// while the account is known to be used up.
func TestAnOutageDoesNotShortenALimit(t *testing.T) {
	t.Parallel()
	b, _ := book(t)
	tell(t, b, "acc", "a", noon.Add(5*time.Hour))
	k, err := b.Told(t.Context(), of("acc"), "b", Trouble{Health: loop.Down, Message: "503", First: time.Second})
	must(t, err)
	if !k.Until.Equal(noon.Add(5*time.Hour)) || k.Health != loop.Limited || k.Message != "spent" {
		t.Errorf("%+v", k)
	}
}

// TestABookOfAnOlderVersion: what it knows are limits.
func TestABookOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "limits")
	old, err := store.OpenBook(t.Context(), dir, file, []string{version1}, store.Options{})
	must(t, err)
	must(t, old.Write(t.Context(), "fill", func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO limits VALUES ('acc', 'claude, login', ?, 1, 0, 'spent', 'a', ?, '', 0)`, noon.Add(time.Hour).UnixNano(), noon.UnixNano())
		return err
	}))
	must(t, old.Close())
	b := New(dir, func() time.Time { return noon }, false)
	defer b.Close()
	a, err := b.Ask(t.Context(), of("acc"), "b", false)
	must(t, err)
	if a.Health != loop.Limited || a.Until.Before(noon.Add(time.Hour)) || a.Message != "spent" {
		t.Errorf("%+v", a)
	}
}
