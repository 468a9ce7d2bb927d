package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"ralph/internal/loop"
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

func viewsRole(ctx context.Context, args []string) error { return stepsRole(ctx, args) }

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

// admitRole tries to create a loop when it is told to, and then lives on until
// its input ends: DIR ID MAX.
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
	_, err = s.Create(ctx, newState(args[1]), Admission{Max: limit})
	if _, full := errors.AsType[*FullError](err); full {
		fmt.Println("full")
	} else if err != nil {
		return err
	} else {
		fmt.Println("in")
	}
	for in.Scan() {
	}
	return nil
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
			say(l.Check(ctx))
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
