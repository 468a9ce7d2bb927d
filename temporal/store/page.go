package store

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
)

// How many runs one request lists. Each request waits for its turn on a busy machine, so
// that 1,000 runs in pages of 200 took five times as long as in one page, which is the most
// that servers allow by default. A development server reads its settings anew for each run of
// a page, and bounds how often: it may not answer to a large page within largeFor.
const (
	largePage = 1000
	smallPage = 200
	largeFor  = 5 * time.Second
)

// page asks for a page of a list. After a large one that the server did not deliver, this
// process asks for small ones.
func (s *Store[S, E]) page(ctx context.Context, ask *workflowservice.ListWorkflowExecutionsRequest) (got *workflowservice.ListWorkflowExecutionsResponse, err error) {
	if !s.smallPages.Load() {
		ask.PageSize = largePage
		err = within(ctx, largeFor, func(ctx context.Context) error {
			got, err = s.client.ListWorkflow(ctx, ask)
			return err
		})
		if err == nil || ctx.Err() != nil || !tooLarge(err) {
			return got, err
		}
		s.smallPages.Store(true)
	}
	ask.PageSize = smallPage
	return s.client.ListWorkflow(ctx, ask)
}

// tooLarge reports whether a smaller page may be delivered: the server allows no such page,
// or did not answer in time.
func tooLarge(err error) bool {
	_, refused := errors.AsType[*serviceerror.InvalidArgument](err)
	_, late := errors.AsType[*serviceerror.DeadlineExceeded](err)
	return refused || late || errors.Is(err, context.DeadlineExceeded)
}
