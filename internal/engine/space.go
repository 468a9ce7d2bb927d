package engine

import (
	"context"
	"errors"
	"fmt"
)

// ErrNoSpace: a disk that the run needs is full.
var ErrNoSpace = errors.New("no space left")

// ErrUnusable: a directory that the run needs is gone or cannot be written, for now.
var ErrUnusable = errors.New("cannot be used")

// ErrStopped: a run that waited for space was asked to stop.
var ErrStopped = errors.New("the run was asked to stop")

// NoSpace returns ErrNoSpace with the directory whose disk is full; nil where dir is empty.
func NoSpace(dir string) error {
	if dir == "" {
		return nil
	}
	return fmt.Errorf("%w on the disk of %s", ErrNoSpace, dir)
}

// Unusable returns ErrUnusable with the directory; nil where dir is empty.
func Unusable(dir string, why error) error {
	if dir == "" {
		return nil
	}
	return fmt.Errorf("%s %w: %w", dir, ErrUnusable, why)
}

// IsLack reports whether an error is ErrNoSpace or ErrUnusable.
func IsLack(err error) bool { return errors.Is(err, ErrNoSpace) || errors.Is(err, ErrUnusable) }

// DiskError returns ErrNoSpace or ErrUnusable where that explains an error of a run that is still
// to be driven. lacks asks the directories that it needs.
func DiskError(err error, lacks func() error) error {
	switch {
	case err == nil, errors.Is(err, ErrFenced), errors.Is(err, ErrStopped):
		return nil
	case IsLack(err):
		return err
	}
	if lack := lacks(); lack != nil {
		return fmt.Errorf("%w: %w", lack, err)
	}
	return nil
}

// SpaceWait waits until the directories that runs need can be written, and their disks have
// space. lack is what failed for want of it. It returns nil once that is so, and an error
// once ctx has ended, or where the wait takes too long.
type SpaceWait func(ctx context.Context, lack error) error

// Await waits for space. It returns nil where the run is to try again: there is space, or a
// message came, as wake says. It returns lack where the SpaceWait is nil, and also ErrStopped where
// the process was asked to stop.
func (w SpaceWait) Await(ctx context.Context, stops <-chan Stop, wake <-chan struct{}, lack error) error {
	if w == nil {
		return lack
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	space := make(chan error, 1)
	go func() { space <- w(inner, lack) }()
	select {
	case err := <-space:
		return err
	case <-wake:
		return nil
	case <-stops:
		return stopped{lack}
	}
}

// stopped is an error for want of space that is also ErrStopped.
type stopped struct{ error }

func (e stopped) Unwrap() []error { return []error{e.error, ErrStopped} }
