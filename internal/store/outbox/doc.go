// Package outbox keeps the notices of one repository until each target has them.
//
//	<git common dir>/ralph/notify.db
//
// It is a database of its own: deliveries never make the writer of a loop wait, and a
// damaged file costs notices and no work.
//
//	state of a run ──▶ Put: notice + a delivery for each target + how far was read
//	                       (one transaction; a key that is known is ignored)
//	waiting ──┬─ sent ─────────────▶ sent
//	          ├─ failed ──▶ waiting, later │ given up
//	          └─ not true any more ──────▶ dropped
//
// A process that dies between sending and recording sends again, with the same id: each
// target gets a notice at least once. One process at a time delivers: Lead grants that
// for a short while, and a holder that died loses it then.
//
// Buttons are the answers that may be given from a message. Their tokens are not kept,
// only the SHA-256 of each: a reader of the file can give no answer.
package outbox
