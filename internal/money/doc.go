// Package money knows what runs of agents cost and whether one more may begin:
// prices of models, estimates where an agent reports tokens only, and budgets.
//
// A cost has a source. What an agent's program states is reported; tokens times a
// price is estimated, and labelled so wherever it is shown; everything else is
// unknown, which is not zero.
//
// A budget is reserved before a run and settled after it:
//
//	limit ─┬─ used       by runs that have ended
//	       ├─ held       reserved by runs under way, and by some whose process died
//	       └─ left       what another run may reserve
//
// A run reserves as much as the dearest one of its agent has used of the budget
// so far, and where less than that is left it does not begin: the budget is spent.
// The first run of an agent has nothing to compare with: it reserves as much as the
// dearest of anybody, or a tenth of the limit, or what is left. Reviewers that are
// asked together are one run, of no particular agent. So a budget is exceeded by
// no more than what runs use beyond their reservation: by a first run, or by one
// that is dearer than all before it.
package money
