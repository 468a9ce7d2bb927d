package demo

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/demo"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// demoSchema is the name of the format of `demo --json`.
const demoSchema = "ralph.demo/v1"

// demoObject is how a demonstration ended.
type demoObject struct {
	Schema     string `json:"schema"`
	Directory  string `json:"directory"`
	Repository string `json:"repository"`
	Tests      string `json:"tests"`
	Scripted   bool   `json:"scripted"`
	// AsAnnounced: every story ended as it should; with a real agent, that all
	// passed.
	AsAnnounced bool        `json:"as_announced"`
	Stories     []demoStory `json:"stories"`

	items []view.Item
}

type demoStory struct {
	Name    string      `json:"name"`
	Differs []string    `json:"differs"`
	Loop    view.Object `json:"loop"`
}

func (o demoObject) completed() int {
	n := 0
	for _, i := range o.items {
		if i.State.Status == loop.StatusPassed {
			n++
		}
	}
	return n
}

// result reads the loops back from the store.
func (d *demonstration) result(ctx context.Context) (demoObject, error) {
	o := demoObject{
		Schema: demoSchema, Directory: d.dir, Repository: d.Dir, Tests: d.variant.Name,
		Scripted: d.agent == "", AsAnnounced: true,
	}
	for _, s := range demo.Stories() {
		l, err := d.project.Loops.Show(ctx, s.Name)
		if err != nil {
			return o, err
		}
		differs, err := d.differs(ctx, s, l)
		if err != nil {
			return o, err
		}
		o.AsAnnounced = o.AsAnnounced && len(differs) == 0
		item := project.Item(l)
		o.Stories = append(o.Stories, demoStory{s.Name, append([]string{}, differs...), view.LoopOf(item, d.Now()).Object()})
		o.items = append(o.items, item)
	}
	return o, nil
}

func (d *demonstration) differs(ctx context.Context, s demo.Story, l engine.Loop) ([]string, error) {
	if d.agent != "" {
		if l.State.Status != loop.StatusPassed {
			return []string{fmt.Sprintf("%s: %s, %s", s.Name, l.State.Status, l.State.Reason)}, nil
		}
		return nil, nil
	}
	missing, err := d.missing(ctx, l.State)
	return slices.Concat(s.Differs(l.State), missing), err
}

// missing says when the branch that a record names is not in the repository.
func (d *demonstration) missing(ctx context.Context, s loop.State) ([]string, error) {
	name := s.FailureRef
	if s.Status == loop.StatusPassed {
		name = s.Branch
	}
	if name == "" {
		return nil, nil
	}
	tip, err := d.project.Repo.RefCommit(ctx, "refs/heads/"+name)
	if err != nil {
		return nil, err
	}
	if tip == "" || s.Status == loop.StatusPassed && tip != s.Commit {
		return []string{s.ID + ": branch " + name + " is not where the record says"}, nil
	}
	return nil, nil
}
