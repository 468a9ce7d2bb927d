// Package notify delivers notices: one target is one address.
//
//	desktop:                     the desktop's notifications
//	bell:  osc9:  osc777:        the terminal of the process that delivers
//	exec:COMMAND                 a line for sh -c, with the notice as JSON on its input
//	webhook+https://HOST/PATH    JSON, signed as Standard Webhooks where there is a secret
//	ntfy://HOST/TOPIC            ntfy, with a button for each answer
//	SERVICE://…                  every other service of shoutrrr
//
// ntfy is spoken here and not through shoutrrr, since its buttons need JSON. A notice is
// sent once and the result returned: whether and when it is sent again decides package
// notifier. No call takes longer than its context; where a library cannot be
// interrupted, it is left behind.
//
// # Foreign text
//
// A notice holds text that agents wrote. Where a service reads markup, marks that would
// notify groups of people or hide an address behind other words are made harmless. Errors
// hold no part of an address that may be a key.
package notify
