package store

import (
	"context"
	"errors"
	"fmt"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/temporal/entity"
)

// The places of a project are those of one workflow, which all its workers ask. A place
// belongs to a lease: it is given back with the lease, or by a process that finds all places taken and
// the lease over. A worker that stands still keeps its places until others have its loops.

var _ engine.Places = (*Project)(nil)

func (p *Project) admission() string { return "ralph/" + p.o.Project + "/admission" }

// Admit gives a loop a place under the lease of an epoch, or returns engine.ErrNoPlace.
func (p *Project) Admit(ctx context.Context, id string, epoch int64, most int) error {
	ask := entity.Admit{Place: entity.Place{Loop: id, Epoch: epoch}, Most: most}
	name := fmt.Sprintf("admit-%s-%d", ask.Loop, ask.Epoch)
	err := p.askAdmission(ctx, entity.AdmitUpdate, name, ask, nil)
	if refused, ok := errors.AsType[*temporal.ApplicationError](err); ok && refused.Type() == entity.Full {
		return fmt.Errorf("%w: %w", engine.ErrNoPlace, err)
	}
	if err != nil {
		return fmt.Errorf("ask for a place for loop %s: %w", ask.Loop, silent(err))
	}
	return nil
}

// Leave gives a place back. One that is not there was given back already, or has a newer lease.
func (p *Project) Leave(ctx context.Context, id string, epoch int64) error {
	place := entity.Place{Loop: id, Epoch: epoch}
	err := p.askAdmission(ctx, entity.LeaveUpdate, fmt.Sprintf("leave-%s-%d", id, epoch), place, nil)
	if err != nil {
		return fmt.Errorf("give back the place of loop %s: %w", id, silent(err))
	}
	return nil
}

// askAdmission asks the workflow, and begins it where there is none.
func (p *Project) askAdmission(ctx context.Context, update, name string, in, out any) error {
	return p.ask(ctx, p.admission(), entity.AdmissionName, entity.Admission{}, func() error {
		return updateOnce(ctx, p.client, p.admission(), update, name, in, out)
	})
}

// ask repeats a request to a workflow of the project until it is answered. The workflow is
// begun where there is none.
func (p *Project) ask(ctx context.Context, id, workflow string, first any, request func() error) error {
	for {
		err := repeated(ctx, request)
		if _, none := errors.AsType[*serviceerror.NotFound](err); !none {
			return err
		}
		_, err = p.client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
			ID: id, TaskQueue: p.o.Key.queue(),
			WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
			WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		}, workflow, first)
		if err != nil {
			return err
		}
	}
}

// known reads by a query what a workflow of the project knows; nothing where there is none.
func (p *Project) known(ctx context.Context, id, query string, out any) error {
	err := untilAnswered(ctx, func(ctx context.Context) error {
		v, err := p.client.QueryWorkflow(ctx, id, "", query)
		if err != nil {
			return err
		}
		return v.Get(out)
	})
	if _, none := errors.AsType[*serviceerror.NotFound](err); none {
		return nil
	}
	return err
}

// places asks who has one.
func (p *Project) places(ctx context.Context) (now entity.Admission, err error) {
	if err = p.known(ctx, p.admission(), entity.PlacesQuery, &now); err != nil {
		err = fmt.Errorf("look which loops have a place: %w", silent(err))
	}
	return now, err
}

// Placed are the loops that have a place.
func (p *Project) Placed(ctx context.Context) (ids []string, err error) {
	now, err := p.places(ctx)
	for _, place := range now.Places {
		ids = append(ids, place.Loop)
	}
	return ids, err
}

// Sweep gives back the places of leases that are over: of a worker that was killed between
// its release of a loop and of the place, or whose loop others took or ended.
func (p *Project) Sweep(ctx context.Context) error {
	now, err := p.places(ctx)
	for _, place := range now.Places {
		over, err := p.over(ctx, place)
		if err == nil && over {
			err = p.Leave(ctx, place.Loop, place.Epoch)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// over reports whether the lease of a place can pay for nothing more: it was released or
// fenced, or its loop rests and has no living owner. That of a loop that is to run has its
// place until another worker takes the loop: its owner may only stand still.
func (p *Project) over(ctx context.Context, place entity.Place) (bool, error) {
	run, err := p.loops.run(ctx, place.Loop)
	if errors.Is(err, engine.ErrNotFound) {
		return true, nil
	}
	if err != nil || run.Epoch != place.Epoch || run.Released || run.Archived {
		return err == nil, err
	}
	s, _, err := decode[loop.State](run.State)
	if err != nil || run.Live {
		return false, nil //nolint:nilerr // a record that this version cannot read keeps its place
	}
	return s.Status.Terminal() || s.Status == loop.Paused, nil
}
