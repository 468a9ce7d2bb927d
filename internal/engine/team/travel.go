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

// Announce makes the commit available from which a new run starts. A branch of its name
// with another commit belongs to another run.
func (t Travel) Announce(ctx context.Context, branch, base string) error {
	err := t.Remote.Push(ctx, "refs/heads/"+branch, base, "")
	if _, taken := errors.AsType[git.ErrRefMoved](err); taken {
		return fmt.Errorf("%w: the remote has its branch %s", engine.ErrExists, branch)
	}
	if err != nil {
		return fmt.Errorf("push the commit that the work starts from: %w", err)
	}
	return nil
}

// TryPush proves that this machine may push to the branches of ralph, and delete what it
// pushed: it does both with a branch of its own.
func (t Travel) TryPush(ctx context.Context, branch, commit string) error {
	ref := "refs/heads/" + branch
	err := t.Remote.Push(ctx, ref, commit, "")
	if moved, left := errors.AsType[git.ErrRefMoved](err); left { // by a worker that was killed here
		err = t.Remote.Push(ctx, ref, commit, moved.Have)
	}
	if err != nil {
		return err
	}
	return t.Remote.Push(ctx, ref, "", commit)
}

// Publish pushes the commits that a transition names, and publishes the files of the loop.
// While the remote refuses or is away it is tried again; an owner that was replaced is
// refused.
func (t Travel) Publish(ctx context.Context, p stored.Publication[loop.State, loop.Event]) error {
	return t.retryPublish(ctx, p.Owned, p.Await, func(ctx context.Context) error { return t.publish(ctx, p) })
}

func (t Travel) retryPublish(ctx context.Context, check func(context.Context) error, await func(string), publish func(context.Context) error) error {
	defer await("")
	ctx, cancel := context.WithTimeout(ctx, engine.RemotePatience)
	defer cancel()
	for n := 0; ; n++ {
		err := publish(ctx)
		if err == nil || errors.Is(err, engine.ErrFenced) {
			return err
		}
		if lost := check(ctx); errors.Is(lost, engine.ErrFenced) {
			return lost
		}
		t.Warn(err)
		await(engine.WaitsFor(err))
		select {
		case <-time.After(engine.RemotePause(n)):
		case <-ctx.Done():
			return err
		}
	}
}

func (t Travel) publish(ctx context.Context, p stored.Publication[loop.State, loop.Event]) error {
	if err := t.push(ctx, p.Owned, Ref(p.Next), p.Before.Tip(), p.Next.Tip()); err != nil {
		return err
	}
	for _, e := range p.Events {
		if kept, is := e.(loop.Kept); is && kept.Commit != "" {
			if err := t.push(ctx, p.Owned, Ref(p.Next), p.Next.Tip(), kept.Commit); err != nil {
				return err
			}
		}
	}
	return t.Files.Put(ctx, Run{ID: p.Next.ID}, p.Epoch, p.Dir, writtenBy(p)...)
}

// writtenBy are the paths of the files that a transition of a loop may have written: those of the
// attempt that was under way, and of the one that begins.
func writtenBy(p stored.Publication[loop.State, loop.Event]) []string {
	paths := []string{"memory.json"}
	for n := p.Before.Iteration; n <= p.Next.Iteration; n++ {
		paths = append(paths, engine.Layout{}.Attempt(n))
	}
	return paths
}

// push moves the branch of a run on the remote. Another tip than the recorded one was
// pushed by an owner that died before it was recorded, or that was replaced and had not
// noticed: the present owner replaces it.
func (t Travel) push(ctx context.Context, check func(context.Context) error, ref, from, to string) error {
	if from == to {
		return nil
	}
	for {
		if err := check(ctx); err != nil {
			return err
		}
		err := t.Remote.Push(ctx, ref, to, from)
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
	return t.Files.Get(ctx, Run{ID: s.ID}, dir)
}

// Offer pushes the work of a loop that moves to the team: the commit that its record names,
// or the failed work of one that has ended. Ours: the branch of this name on the remote is
// the loop's own.
func (t Travel) Offer(ctx context.Context, s loop.State, ours bool) error {
	if err := t.workable(ctx, s.Base, len(s.Setup) > 0); err != nil {
		return err
	}
	work, err := t.work(ctx, s)
	if err != nil {
		return err
	}
	ref := Ref(s)
	have, err := t.Remote.Tip(ctx, ref)
	if err != nil || have == work {
		return err
	}
	if have != "" && !ours {
		if ours, err = t.partOf(ctx, s.ID, ref, work); err != nil {
			return err
		}
	}
	if have != "" && !ours {
		return fmt.Errorf("%w: the remote has other work on its branch %s", engine.ErrExists, s.Branch)
	}
	if err := t.Remote.Push(ctx, ref, work, have); err != nil {
		return fmt.Errorf("push the work of loop %s: %w", s.ID, err)
	}
	return nil
}

// work is the commit that other machines need of a loop.
func (t Travel) work(ctx context.Context, s loop.State) (string, error) {
	if s.FailureRef == "" || !s.Unmoved().Status.Terminal() {
		return s.Tip(), nil
	}
	kept, err := t.Remote.Repo.RefCommit(ctx, "refs/heads/"+s.FailureRef)
	if err == nil && kept == "" {
		kept, err = t.Remote.Repo.RefCommit(ctx, keptRef(s.ID))
	}
	return cmp.Or(kept, s.Tip()), err
}

// partOf reports whether the remote's ref is a part of the work.
func (t Travel) partOf(ctx context.Context, id, ref, work string) (bool, error) {
	have, err := t.Remote.Fetch(ctx, ref, "refs/ralph/remote/"+id)
	if err != nil {
		return false, err
	}
	return t.Remote.Repo.IsAncestor(ctx, have, work)
}

// FetchWhole gets the commits of a loop that moves away from the team, the failed work of
// one that has ended as kept.
func (t Travel) FetchWhole(ctx context.Context, s loop.State) (kept string, err error) {
	if err := t.FetchWork(ctx, s); err != nil {
		return "", err
	}
	if s.FailureRef == "" || !s.Unmoved().Status.Terminal() {
		return "", nil
	}
	if err := t.fetchKept(ctx, s); err != nil {
		return "", err
	}
	return t.Remote.Repo.RefCommit(ctx, keptRef(s.ID))
}

// PutFiles publishes all files of a loop that moves to the team.
func (t Travel) PutFiles(ctx context.Context, id string, epoch int64, dir string) error {
	return t.Files.PutWhole(ctx, Run{ID: id}, epoch, dir)
}

// GetFiles brings the published files of a loop here.
func (t Travel) GetFiles(ctx context.Context, id, dir string) error {
	return t.Files.Get(ctx, Run{ID: id}, dir)
}

// ErrNotAtRemote is returned where the remote does not have what the record of a loop names:
// the loop is one of another repository, such as a fork, or its branch was deleted.
var ErrNotAtRemote = errors.New("its work is not at this remote")

// Usable gets the commits that a loop needs, before it is acquired.
func (t Travel) Usable(ctx context.Context, s loop.State) error {
	if err := t.has(ctx, Ref(s)); err != nil {
		return err
	}
	return t.FetchWork(ctx, s)
}

func (t Travel) has(ctx context.Context, ref string) error {
	have, err := t.Remote.Tip(ctx, ref)
	if err == nil && have == "" {
		err = fmt.Errorf("%w: %s has no %s", ErrNotAtRemote, t.Remote.URL, ref)
	}
	return err
}

// FetchWork gets the commits that a state names, unless they are here.
func (t Travel) FetchWork(ctx context.Context, s loop.State) error {
	return t.fetchCommit(ctx, s.ID, Ref(s), s.Tip())
}

func (t Travel) fetchCommit(ctx context.Context, id, ref, commit string) error {
	if have, err := t.Remote.Repo.ResolveCommit(ctx, commit); err == nil && have != "" {
		return nil
	}
	got, err := t.Remote.Fetch(ctx, ref, "refs/ralph/remote/"+id)
	if err != nil {
		if none := t.has(ctx, ref); errors.Is(none, ErrNotAtRemote) {
			return none
		}
		return err
	}
	if _, err := t.Remote.Repo.ResolveCommit(ctx, commit); err != nil {
		return fmt.Errorf("%s of %s is at %.10s, which does not hold the recorded commit %.10s: %w", ref, t.Remote.URL, got, commit, ErrNotAtRemote)
	}
	return nil
}

// fetchKept gets the failed work of a loop that has ended: its branch moves no more.
func (t Travel) fetchKept(ctx context.Context, s loop.State) error {
	if have, err := t.Remote.Repo.RefCommit(ctx, keptRef(s.ID)); have != "" || err != nil {
		return err
	}
	_, err := t.Remote.Fetch(ctx, Ref(s), keptRef(s.ID))
	return err
}

// keptRef has the failed work of a loop in a clone.
func keptRef(id string) string { return "refs/ralph/kept/" + id }

// Ref is the branch of a loop on the remote.
func Ref(s loop.State) string { return "refs/heads/" + s.Branch }
