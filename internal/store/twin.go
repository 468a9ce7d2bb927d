package store

import (
	"context"
	"database/sql"
	"fmt"

	"ralph/internal/loop"
)

// TwinError: another loop works on the very same task and has not ended.
type TwinError struct{ ID string }

func (e *TwinError) Error() string { return fmt.Sprintf("loop %s of this task is unfinished", e.ID) }

// alone refuses a second unfinished loop of a task. In the transaction that
// would record it, so that of any number of starts at one instant one is first.
func alone(ctx context.Context, tx *sql.Tx, st loop.State) error {
	active, err := list(ctx, tx, Filter{Active: true})
	if err != nil {
		return err
	}
	begin := summarise(st).Task
	for _, e := range active {
		if e.Task != begin || e.ID == st.ID {
			continue
		}
		other, err := stateOf(ctx, tx, e.num)
		if err != nil {
			return err
		}
		if other.Task.Text == st.Task.Text {
			return &TwinError{e.ID}
		}
	}
	return nil
}
