package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"ralph/internal/recovery"
)

// Situations that need no detail.
var (
	ErrNoLoop      = errors.New("no such loop")
	ErrExists      = errors.New("a loop with this id exists")
	ErrPlanExists  = errors.New("a plan of this name exists")
	ErrArchived    = errors.New("the loop is archived")
	ErrNotArchived = errors.New("the loop is not archived")
	ErrNotEnded    = errors.New("it has not ended")
	ErrReadOnly    = errors.New("the store was opened for reading only")
	errClosed      = errors.New("the store is closed")
	ErrReleased    = errors.New("the lease was released")
	// ErrAnswered is returned instead of a default when an answer waits in the
	// inbox.
	ErrAnswered = errors.New("the question was answered")
)

// BusyError is returned when another process locked the database, and no commit was
// seen for Options.Wait.
type BusyError struct {
	Waited time.Duration
	// Holder is that process, as far as known: a pid of this machine, or the
	// owner that wrote last. It may be empty.
	Holder string
}

func (e *BusyError) Error() string {
	holder := e.Holder
	if holder == "" {
		holder = "an unknown process"
	}
	return fmt.Sprintf("the database is busy: waited %s for %s", e.Waited, holder)
}

// NewerError: the database has a later schema than this program knows.
type NewerError struct {
	Path       string
	Have, Know int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s has schema version %d, this ralph knows %d: use the newer ralph that wrote it", e.Path, e.Have, e.Know)
}

// CorruptError: the file is damaged or no database of ours. It was left as it is.
type CorruptError struct {
	Path string
	Err  error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s is damaged and was left untouched: %v", e.Path, e.Err)
}

// Unwrap gives the database's own words.
func (e *CorruptError) Unwrap() error { return e.Err }

// ClosedError: the directory, or the file system it is on, does not let the
// database be opened. Even reading it needs to write beside it.
type ClosedError struct {
	Dir string
	Err error
}

func (e *ClosedError) Error() string {
	return fmt.Sprintf("%s cannot be written: %v", e.Dir, e.Err)
}

// Unwrap gives the database's own words.
func (e *ClosedError) Unwrap() error { return e.Err }

// NoSpaceError: the disk of the database is full. What was recorded before stands.
type NoSpaceError struct {
	Dir string
	Err error
}

func (e *NoSpaceError) Error() string {
	return fmt.Sprintf("no space left on the disk of %s: %v", e.Dir, e.Err)
}

// Unwrap gives the database's own words.
func (e *NoSpaceError) Unwrap() error { return e.Err }

// DiskError: the disk of the database does not work now, or a quota is used up. What was
// recorded before stands.
type DiskError struct {
	Dir string
	Err error
}

func (e *DiskError) Error() string {
	return fmt.Sprintf("the disk of %s cannot be used: %v", e.Dir, e.Err)
}

// Unwrap gives the database's own words.
func (e *DiskError) Unwrap() error { return e.Err }

// UnsafeError is returned when another user can change the directory.
type UnsafeError struct{ Path, Why string }

func (e *UnsafeError) Error() string {
	return fmt.Sprintf("%s is not safe to keep state in: it %s", e.Path, e.Why)
}

// AmbiguousError is returned when the ids of several loops begin with Prefix.
type AmbiguousError struct {
	Prefix string
	IDs    []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q could be %s", e.Prefix, strings.Join(e.IDs, ", "))
}

// AdmissionError: Active loops hold all Max slots. One more would make Paths
// communication paths, n(n-1)/2 (seed 001).
type AdmissionError struct {
	Max    int
	Active []Entry
	Paths  int
	// Parent is the orchestration that the limit belongs to; empty: the
	// repository's.
	Parent string
}

func (e *AdmissionError) Error() string {
	if e.Parent != "" {
		return fmt.Sprintf("%d loops of %s are running (at most %d): one more makes %d communication paths", len(e.Active), e.Parent, e.Max, e.Paths)
	}
	return fmt.Sprintf("%d loops are running (at most %d): one more makes %d communication paths", len(e.Active), e.Max, e.Paths)
}

// HeldError: a living owner has what was asked for.
type HeldError struct {
	// Kind is that of the run; a tree has none.
	Kind recovery.Kind
	// What is the run's id or the tree's path; By the loop that has the tree.
	What  string
	By    string
	Owner Owner
}

func (e *HeldError) Error() string {
	if e.By != "" {
		return fmt.Sprintf("%s is in use by loop %s of %s", e.What, e.By, e.Owner)
	}
	return fmt.Sprintf("%s %s is run by %s", e.Kind, e.What, e.Owner)
}

// FencedError: the loop was taken over. Its former owner stops its children and
// writes nothing more.
type FencedError struct {
	Kind      recovery.Kind
	ID        string
	Epoch     int64
	Now       int64
	NewOwner  Owner
	Forgotten bool // the loop was removed
}

func (e *FencedError) Error() string {
	if e.Forgotten {
		return fmt.Sprintf("%s %s was removed", e.Kind, e.ID)
	}
	return fmt.Sprintf("%s %s was taken over by %s (epoch %d, ours is %d)", e.Kind, e.ID, e.NewOwner, e.Now, e.Epoch)
}
