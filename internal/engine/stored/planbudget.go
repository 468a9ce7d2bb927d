package stored

import (
	"encoding/json"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/money"
)

// budgetKey is the key of the only document of a shelf.
const budgetKey = "budget"

// budget is the document.
type budget struct {
	money.Book
	Held []share `json:"held,omitempty"`
	// Raised is the name of the newest raise of the limit.
	Raised string `json:"raised,omitempty"`
}

// share is the reservation of a loop, or of a review of a plan, under the epoch of its lease.
type share struct {
	holder
	money.Reservation
}

type holder struct {
	Name string `json:"holder"`
	// Plan is the plan of the review; a loop has none.
	Plan  string `json:"plan,omitempty"`
	Epoch int64  `json:"epoch"`
}

func (d budget) first(which func(share) bool) int { return slices.IndexFunc(d.Held, which) }

func (d budget) of(h holder) int { return d.first(func(s share) bool { return s.Name == h.Name }) }

// without is the budget without a share; below zero is none.
func (d budget) without(at int) budget {
	if d.Held = slices.Clone(d.Held); at >= 0 {
		d.Held = slices.Delete(d.Held, at, at+1)
	}
	return d
}

func decodeBudget(data []byte) (*budget, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var d budget
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrDamaged, err)
	}
	return &d, nil
}
