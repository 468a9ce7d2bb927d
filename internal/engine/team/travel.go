package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// Travel publishes and fetches what the record of a loop names.
type Travel struct {
	Remote git.Remote
	Files  *Files
	// Warn reports a remote or a folder that cannot be reached; the work waits for it.
	Warn func(error)
}

// patience is how long a publication is tried again. Then the run is left to whichever
// worker takes it, which may be this one: the step is done again.
const patience = 10 * time.Minute

// Publish pushes the commits that a transition names, and publishes the files of the loop.
// While the remote refuses or is away it is tried again; an owner that was replaced is
// refused.
func (t Travel) Publish(ctx context.Context, p stored.Publication) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for pause := time.Second; ; pause = min(2*pause, 20*time.Second) {
		err := t.publish(ctx, p)
		if err == nil || errors.Is(err, engine.ErrFenced) {
			return err
		}
		if lost := p.Check(ctx); errors.Is(lost, engine.ErrFenced) {
			return lost
		}
		t.Warn(err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

func (t Travel) publish(ctx context.Context, p stored.Publication) error {
	if err := t.push(ctx, p, tip(p.Before), tip(p.Next)); err != nil {
		return err
	}
	for _, e := range p.Events {
		if kept, is := e.(loop.Kept); is && kept.Commit != "" {
			if err := t.push(ctx, p, tip(p.Next), kept.Commit); err != nil {
				return err
			}
		}
	}
	return t.Files.Put(p.Next.ID, p.Epoch, p.Dir)
}

// push moves the branch of the loop on the remote. Another tip than the recorded one was
// pushed by an owner that died before it was recorded, or that was replaced and had not
// noticed: the present owner replaces it.
func (t Travel) push(ctx context.Context, p stored.Publication, from, to string) error {
	if from == to {
		return nil
	}
	for {
		if err := p.Check(ctx); err != nil {
			return err
		}
		err := t.Remote.Push(ctx, Ref(p.Next), to, from)
		moved, is := errors.AsType[git.ErrRefMoved](err)
		if !is {
			return err
		}
		from = moved.Have
	}
}

// Fetch gets the commits that a state names, and the files of the loop.
func (t Travel) Fetch(ctx context.Context, s loop.State, dir string) error {
	if err := t.FetchWork(ctx, s); err != nil {
		return err
	}
	return t.Files.Get(s.ID, dir)
}

// ErrElsewhere is returned where the remote does not have what the record of a loop names:
// the loop is one of another repository, such as a fork, or its branch was deleted.
var ErrElsewhere = errors.New("its work is not at this remote")

// Usable gets the commits that a loop needs, before it is acquired.
func (t Travel) Usable(ctx context.Context, s loop.State) error {
	have, err := t.Remote.Tip(ctx, Ref(s))
	if err != nil {
		return err
	}
	if have == "" {
		return fmt.Errorf("%w: %s has no %s", ErrElsewhere, t.Remote.URL, Ref(s))
	}
	return t.FetchWork(ctx, s)
}

// FetchWork gets the commits that a state names, unless they are here.
func (t Travel) FetchWork(ctx context.Context, s loop.State) error {
	if have, err := t.Remote.Repo.ResolveCommit(ctx, tip(s)); err == nil && have != "" {
		return nil
	}
	got, err := t.Remote.Fetch(ctx, Ref(s), "refs/ralph/remote/"+s.ID)
	if err != nil {
		return err
	}
	if _, err := t.Remote.Repo.ResolveCommit(ctx, tip(s)); err != nil {
		return fmt.Errorf("%s of %s is at %.10s, which does not hold the recorded commit %.10s: %w", Ref(s), t.Remote.URL, got, tip(s), ErrElsewhere)
	}
	return nil
}

// Ref is the branch of a loop on the remote.
func Ref(s loop.State) string { return "refs/heads/" + s.Branch }

func tip(s loop.State) string { return cmp.Or(s.Commit, s.Base) }
