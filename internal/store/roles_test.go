//go:build unix

package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// stepsRole makes a loop and n transitions: DIR ID N [VIEWS].
func stepsRole(ctx context.Context, args []string) error {
	o := Options{Owner: "steps"}
	if len(args) > 3 {
		o.Views = args[3]
	}
	s, err := Open(ctx, args[0], o)
	if err != nil {
		return err
	}
	defer s.Close()
	l, err := s.Create(ctx, newState(args[1]), Admission{})
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	for range n {
		if err := tick(ctx, l); err != nil {
			return err
		}
	}
	return errors.Join(l.Release(ctx), s.ViewError())
}

// foreverRole takes a loop up and steps until it is killed, telling the number
// of events after each commit: DIR ID.
func foreverRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{Owner: "forever"})
	if err != nil {
		return err
	}
	l, err := s.Acquire(ctx, args[1], false)
	if err != nil {
		return err
	}
	for {
		if err := tick(ctx, l); err != nil {
			return err
		}
		fmt.Println(l.seq)
	}
}

// publishRole publishes files for a loop until it is killed, telling the number
// of each: DIR ID.
func publishRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{Owner: "publish"})
	if err != nil {
		return err
	}
	for {
		a, err := s.Publish(ctx, args[1], "f.txt", "", strings.NewReader("published by "+args[1]))
		if err != nil {
			return err
		}
		fmt.Println(a.N)
	}
}

// admitRole tries to create a loop when it is told to, and then lives on until
// its input ends: DIR ID MAX [TASK]. With a task it is to be the only one of it.
func admitRole(ctx context.Context, args []string) error {
	limit, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	s, err := Open(ctx, args[0], Options{Owner: "admit"})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	st := newState(args[1])
	if len(args) > 3 {
		st.Task.Text = args[3]
	}
	_, err = s.Create(ctx, st, Admission{Max: limit, Alone: len(args) > 3})
	if _, full := errors.AsType[*AdmissionError](err); full {
		fmt.Println("full")
	} else if _, same := errors.AsType[*SameTaskError](err); same {
		fmt.Println("same")
	} else if err != nil {
		return err
	} else {
		fmt.Println("in")
	}
	for in.Scan() {
	}
	return nil
}

// plansRole owns a plan and a loop of it until its input ends: DIR PLAN LOOP.
func plansRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{Owner: "plans"})
	if err != nil {
		return err
	}
	if _, err := s.Plans().Acquire(ctx, args[1], nil, false); err != nil {
		return err
	}
	if _, err := s.Acquire(ctx, args[2], false); err != nil {
		return err
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// holdRole owns a loop and does as it is told: DIR ID.
func holdRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{Owner: "hold"})
	if err != nil {
		return err
	}
	l, err := s.Acquire(ctx, args[1], false)
	if err != nil {
		return err
	}
	wake := l.Wake()
	fmt.Println("held", l.Epoch())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch in.Text() {
		case "commit":
			say(tick(ctx, l))
		case "wake":
			<-wake
			say(l.Owned(ctx))
		case "end":
			say(endWith(ctx, l, loop.StatusPassed, loop.Green))
		}
	}
	return nil
}

func say(err error) {
	_, fenced := errors.AsType[*FencedError](err)
	switch {
	case err == nil:
		fmt.Println("ok")
	case fenced:
		fmt.Println("fenced")
	default:
		fmt.Println(err)
	}
}

// lockerRole keeps the database locked until its input ends: DIR.
func lockerRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{Owner: "locker", Wait: time.Second})
	if err != nil {
		return err
	}
	return s.write(ctx, "hold", func(*sql.Tx) error {
		fmt.Println("locked")
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		}
		return nil
	})
}

// fullRole commits until its files may not grow, sees that nothing half done
// counts, and goes on when there is room again: DIR.
func fullRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	l, err := s.Create(ctx, newState("a"), Admission{})
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	small := limit
	small.Cur = 300_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		return err
	}
	if err := commitUntilFull(ctx, s, l); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	return tick(ctx, l)
}

// commitUntilFull fails unless a commit fails in the end, and leaves the record
// as the last good one made it.
func commitUntilFull(ctx context.Context, s *Store, l *LoopLease) error {
	for n := 0; ; n++ {
		st := l.State()
		st.Iteration, st.Message = n, strings.Repeat("x", 10_000)
		err := l.Commit(ctx, st, []loop.Event{loop.Ticked{Stamp: loop.Stamp{At: clock()}}})
		if err == nil && n < 1000 {
			continue
		}
		if err == nil {
			return errors.New("the disk was never full")
		}
		r, err := s.Read(ctx, "a")
		if err != nil {
			return fmt.Errorf("read while full: %w", err)
		}
		if n == 0 || r.State.Iteration != n-1 || r.Seq != int64(n+1) {
			return fmt.Errorf("iteration %d with %d events after %d commits", r.State.Iteration, r.Seq, n)
		}
		return nil
	}
}

// reserveRole begins a run of a loop's agent and stays in it: DIR ID PARENT.
func reserveRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{Owner: "reserve"})
	if err != nil {
		return err
	}
	st := newState(args[1])
	st.Parent, st.Step, st.Status = args[2], loop.StepAgent, loop.Running
	l, err := s.Create(ctx, st, Admission{})
	if err != nil {
		return err
	}
	if _, err := l.began(ctx); err != nil {
		return err
	}
	fmt.Println("reserved")
	select {}
}

// reviewRole begins a review of a plan and stays in it: DIR PLAN.
func reviewRole(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{Owner: "review"})
	if err != nil {
		return err
	}
	l, err := s.Plans().Create(ctx, plan.Begin(args[1], "plan.md", "", "b", "c", plan.Rules{}), []byte("{}"))
	if err != nil {
		return err
	}
	if _, _, err := l.ReserveReview(ctx, Reserve{Until: time.Now().Add(time.Hour)}); err != nil {
		return err
	}
	fmt.Println("reserved")
	select {}
}
