// Package notifier tells a person what happens to the runs of a repository: it reads
// their states, puts what is new into the outbox, and delivers what waits there.
//
//	store ──scan──▶ package notice ──▶ outbox ──deliver──▶ package notify
//
// Of the runs of a team the store has copies of the loops; plans are read from the server.
//
// # Who does it
//
// Each process that drives a run has a Notifier, and so has `ralph serve`. All of them
// scan, since what is known already is ignored; the one that leads delivers. At the end
// of a command Flush delivers what is left, for a moment only: a target that does not
// answer delays no command. What then still waits is delivered by the next process.
//
// No loop waits for any of this: a Notifier is a goroutine of its own with a database of
// its own.
//
// # When
//
// The first notice that waits for a target starts its debounce; when that is over all that
// wait become one message. A question is told at once where several come, since it has
// buttons. A question that a terminal asks at this moment is held back for a while. In a
// target's quiet hours everything waits for their end. A message that was not taken is
// tried again after a time that grows, until it is a day old.
package notifier
