// Package money knows what runs of agents cost and whether one more may begin:
// prices of models, estimates where an agent reports tokens only, and budgets.
//
// A cost has a source. What an agent's program says is reported; tokens times a
// price is estimated, and labelled so wherever it is shown; everything else is
// unknown, which is not zero.
//
// A budget is reserved before a run and settled after it:
//
//	limit ─┬─ used       by runs that have ended
//	       ├─ held       reserved by runs under way, and by some whose process died
//	       └─ left       what another run may reserve
//
// A run reserves as much as the dearest one of its budget has used so far; while
// none has ended, a tenth of the limit. So runs at the same time spend more than
// the limit by no more than what those under way use beyond their reservation.
package money
