// Package project opens the repository that a command works on: its
// configuration, its store, the engine, and the loop or plan that the command
// is about. The wiring is done by hand, here.
package project
