package money

import "ralph/internal/loop"

// Session is what one process may spend, over all that it runs. A process that
// was started by a supervisor belongs to that one's session.
type Session struct {
	ID     string
	Budget loop.Amounts
}
