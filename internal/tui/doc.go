// Package tui is `ralph watch`: the loops and plans of a repository, live on a
// terminal. It is a front end: it asks the engine, shows the answer, and sends the
// user's commands. It owns no loop and no process, so that leaving it stops
// nothing.
//
//	          keys, size                  look (Marks, then Show of what moved)
//	terminal ───────────▶ Update ───────────────────────────────▶ engine
//	    ▲                   │  ▲            follow (Events, files)
//	    │                   │  └──────────────────────────────────┘ answers
//	    └────── View ◀──────┘
//
// Update and View never wait. Commands ask the engine and read files, with a
// deadline and at most one of each kind at a time; until one answers, the screen
// keeps the last answer and shows its age.
//
// The engine is asked again after 250 ms while loops move, and after up to 2 s
// while they do not; a key brings the short interval back.
//
// No foreign text reaches the terminal unchecked: package text cleans it, and fit,
// the last step of every line, passes only printable cells and our own colours,
// never more than the screen is wide.
//
// The screen of all repositories (everywhere.go) is a list of their runs, and over it the
// screen of the repository that was entered.
//
// This is the only package that knows Bubble Tea.
package tui
