// Package project opens the repository that a command works on: its
// configuration, its store, the engine, and the loop or plan that the command
// is about. Wiring is done by hand, here and in package cli.
package project
