package engine

import (
	"context"
	"errors"
	"fmt"
)

// ErrNoSpace: a disk that the run needs is full.
var ErrNoSpace = errors.New("no space left")

// ErrStopped: a run that waited for room was asked to stop.
var ErrStopped = errors.New("the run was asked to stop")

// NoSpace returns ErrNoSpace with the directory whose disk is full; nil where dir is empty.
func NoSpace(dir string) error {
	if dir == "" {
		return nil
	}
	return fmt.Errorf("%w on the disk of %s", ErrNoSpace, dir)
}

// Full returns ErrNoSpace where a full disk explains an error of a run that is still to be
// driven. space asks the disks that it needs.
func Full(err error, space func() error) error {
	switch {
	case err == nil, errors.Is(err, ErrFenced), errors.Is(err, ErrStopped):
		return nil
	case errors.Is(err, ErrNoSpace):
		return err
	}
	if full := space(); full != nil {
		return fmt.Errorf("%w: %w", full, err)
	}
	return nil
}

// Room waits until the disks that runs need have room again. full is what failed for want
// of it. It returns nil where there is room, and an error once ctx has ended.
type Room func(ctx context.Context, full error) error

// Await waits for room. It returns nil where the run is to try again: there is room, or a
// message came, as wake says. It returns full where the Room is nil, and also ErrStopped where
// the process was asked to stop.
func (r Room) Await(ctx context.Context, stops <-chan Stop, wake <-chan struct{}, full error) error {
	if r == nil {
		return full
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	room := make(chan error, 1)
	go func() { room <- r(inner, full) }()
	select {
	case err := <-room:
		return err
	case <-wake:
		return nil
	case <-stops:
		return stopped{full}
	}
}

// stopped is an error for want of room that is also ErrStopped.
type stopped struct{ error }

func (e stopped) Unwrap() []error { return []error{e.error, ErrStopped} }
