// Package tui is `ralph watch`: the loops of a repository on a terminal, while
// they move. It is a face like the others: it asks the engine, shows the
// answer, and hands on what a person wants of a loop. It owns no loop and no
// process; whoever leaves it stops nothing.
//
//	          keys, size                  look (Marks, then Show of what moved)
//	terminal ───────────▶ Update ───────────────────────────────▶ engine
//	    ▲                   │  ▲            follow (Events, files)
//	    │                   │  └──────────────────────────────────┘ answers
//	    └────── View ◀──────┘
//
// Update and View never wait. Whatever asks the engine or reads a file is a
// command that runs beside them with a deadline, at most one of each kind at a
// time; while none answers, the last answer stays on the screen and its age is
// said.
//
// The engine is asked again after 250 ms while loops move, and after up to 2 s
// while they do not; a key brings the short interval back.
//
// Nothing foreign reaches the terminal as it came: package report cleans words,
// and fit, the last step of every line, lets nothing through but printable
// cells and our own colours, and never more of them than the screen is wide.
//
// This is the only package that knows Bubble Tea.
package tui
