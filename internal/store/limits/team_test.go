package limits

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/testing/shelftest"
)

// team are machines that share a shelf, with one clock.
type team struct {
	t     *testing.T
	clock *clock
	shelf *shelftest.Memory
}

var named = Account{Key: "acc", Label: "claude, account work", Named: true}

func newTeam(t *testing.T) team { return team{t, &clock{now: noon}, &shelftest.Memory{}} }

// machine is the book of one, which is opened in dir.
func (w team) machine(dir string) *Book {
	b := w.alone(dir)
	b.Share(w.shelf)
	return b
}

// alone is the book of a process that belongs to no team.
func (w team) alone(dir string) *Book {
	b := New(filepath.Join(dir, "limits"), w.clock.read, false)
	w.t.Cleanup(func() { _ = b.Close() })
	return b
}

func (w team) tell(b *Book, a Account, by string, reset time.Time) Known {
	w.t.Helper()
	k, err := b.Told(w.t.Context(), a, by, Trouble{Health: loop.Limited, Reset: reset, Message: "spent"})
	must(w.t, err)
	return k
}

func (w team) ask(b *Book, a Account, by string, force bool) Answer {
	w.t.Helper()
	answer, err := b.Ask(w.t.Context(), a, by, force)
	must(w.t, err)
	return answer
}

// inTrouble checks how many accounts a machine lists.
func (w team) inTrouble(b *Book, want int) {
	w.t.Helper()
	all, err := b.List(w.t.Context())
	if err != nil || len(all) != want {
		w.t.Errorf("%d accounts, want %d: %+v, %v", len(all), want, all, err)
	}
}

// TestATeamSharesNamedAccounts: what one machine found holds the loops of the others, one
// loop of all tries first, and what it finds counts for all.
func TestATeamSharesNamedAccounts(t *testing.T) {
	t.Parallel()
	w := newTeam(t)
	one, two := w.machine(t.TempDir()), w.machine(t.TempDir())
	w.tell(one, named, "a", noon.Add(time.Hour))
	w.tell(one, of("login"), "a", noon.Add(time.Hour))
	if a := w.ask(two, named, "b", false); a.Until.Before(noon.Add(time.Hour)) || a.Message != "spent" || a.Label != named.Label || a.Health != loop.Limited {
		t.Errorf("%+v", a)
	}
	if a := w.ask(two, of("login"), "b", false); a != (Answer{}) {
		t.Errorf("an account without a name: %+v", a)
	}
	w.inTrouble(two, 1)
	w.clock.set(noon.Add(time.Hour))
	first := ""
	for i, b := range []*Book{two, one, two, one} {
		if a := w.ask(b, named, fmt.Sprint(i), false); a.First && first != "" || a.First != (i == 0) {
			t.Errorf("loop %d: %+v", i, a)
		}
	}
	must(t, two.Lift(t.Context(), named))
	for i, b := range []*Book{two, one} {
		if a := w.ask(b, named, fmt.Sprint(i), false); a != (Answer{}) {
			t.Errorf("held after it worked: %+v", a)
		}
	}
	w.inTrouble(two, 0)
	w.inTrouble(one, 1) // the login
}

// TestAPersonTriesForTheTeam: with --now on one machine, the others wait for the result.
func TestAPersonTriesForTheTeam(t *testing.T) {
	t.Parallel()
	w := newTeam(t)
	one, two := w.machine(t.TempDir()), w.machine(t.TempDir())
	w.tell(one, named, "a", noon.Add(time.Hour))
	if a := w.ask(two, named, "b", true); !a.First || !a.Until.IsZero() {
		t.Errorf("%+v", a)
	}
	if a := w.ask(one, named, "a", false); a.Until.IsZero() {
		t.Error("another loop was let in before it worked")
	}
	must(t, two.Lift(t.Context(), named))
	if a := w.ask(one, named, "a", false); a != (Answer{}) {
		t.Errorf("%+v", a)
	}
}

// TestTheTeamIsToldLater: while the server is away each machine decides by its own book, and
// tells the others once it is there, also after a restart.
func TestTheTeamIsToldLater(t *testing.T) {
	t.Parallel()
	w := newTeam(t)
	dir := t.TempDir()
	one, two := w.machine(dir), w.machine(t.TempDir())
	w.shelf.Away(true)
	w.tell(one, named, "a", noon.Add(time.Hour))
	if a := w.ask(one, named, "c", false); a.Until.IsZero() {
		t.Error("its own finding does not count")
	}
	if a := w.ask(two, named, "b", false); a != (Answer{}) {
		t.Errorf("%+v", a)
	}
	must(t, one.Close())
	one = w.machine(dir)
	w.shelf.Away(false)
	one.Refresh(t.Context())
	if a := w.ask(two, named, "b", false); a.Until.Before(noon.Add(time.Hour)) {
		t.Errorf("not told: %+v", a)
	}
	w.shelf.Away(true)
	w.clock.set(noon.Add(time.Hour))
	if a := w.ask(two, named, "b", false); !a.First {
		t.Errorf("%+v", a)
	}
	must(t, two.Lift(t.Context(), named))
	w.inTrouble(two, 0)
	w.shelf.Away(false)
	if a := w.ask(two, named, "b", false); a != (Answer{}) {
		t.Errorf("held by what it found to be over: %+v", a)
	}
	if a := w.ask(one, named, "a", false); a != (Answer{}) {
		t.Errorf("it is over, and nobody told: %+v", a)
	}
}

// TestALaterFindingOfTheTeamCounts: what a machine found alone does not shorten or end what
// the others found after it.
func TestALaterFindingOfTheTeamCounts(t *testing.T) {
	t.Parallel()
	w := newTeam(t)
	one, two := w.machine(t.TempDir()), w.machine(t.TempDir())
	w.tell(one, named, "a", noon.Add(time.Minute))
	w.shelf.Away(true)
	w.clock.set(noon.Add(time.Minute))
	w.ask(one, named, "a", false)
	must(t, one.Lift(t.Context(), named))
	w.shelf.Away(false)
	w.clock.set(noon.Add(2 * time.Minute))
	w.tell(two, named, "b", noon.Add(time.Hour))
	if a := w.ask(one, named, "a", false); a.Until.Before(noon.Add(time.Hour)) {
		t.Errorf("%+v", a)
	}
	w.shelf.Away(true)
	w.clock.set(noon.Add(2 * time.Hour))
	w.tell(one, named, "a", noon.Add(3*time.Hour))
	w.shelf.Away(false)
	w.tell(two, named, "b", noon.Add(4*time.Hour))
	if k, err := one.Look(t.Context(), named); err != nil || !k.Until.Equal(noon.Add(4*time.Hour)) {
		t.Errorf("%+v, %v", k, err)
	}
}

// TestALostAnswerCountsOnce: the miss of a try is counted once, although the request is
// decided again.
func TestALostAnswerCountsOnce(t *testing.T) {
	t.Parallel()
	w := newTeam(t)
	one, two := w.machine(t.TempDir()), w.machine(t.TempDir())
	w.shelf.LoseNext()
	w.tell(one, named, "a", time.Time{})
	one.Refresh(t.Context())
	if k, err := two.Look(t.Context(), named); err != nil || k == nil || k.Misses != 1 || !k.Until.Equal(noon.Add(firstTry)) {
		t.Errorf("%+v, %v", k, err)
	}
	two.Refresh(t.Context())
	w.inTrouble(two, 1)
}

// TestALoopOfTheMachineTellsTheTeam: loops of this machine alone share its book with the
// worker; what they find about a named account reaches the team with the worker's next look.
func TestALoopOfTheMachineTellsTheTeam(t *testing.T) {
	t.Parallel()
	w := newTeam(t)
	dir := t.TempDir()
	mine, one, two := w.alone(dir), w.machine(dir), w.machine(t.TempDir())
	w.tell(mine, named, "a", noon.Add(time.Hour))
	if a := w.ask(one, named, "b", false); a.Until.IsZero() {
		t.Error("the worker does not know what its machine knows")
	}
	if a := w.ask(two, named, "c", false); a.Until.IsZero() {
		t.Error("the team was not told")
	}
	w.clock.set(noon.Add(time.Hour))
	if a := w.ask(mine, named, "a", false); !a.First {
		t.Errorf("%+v", a)
	}
	must(t, mine.Lift(t.Context(), named))
	one.Refresh(t.Context())
	if a := w.ask(two, named, "c", false); a != (Answer{}) {
		t.Errorf("%+v", a)
	}
}
