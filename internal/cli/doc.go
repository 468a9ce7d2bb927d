// Package cli is the command line: it reads what a person typed, wires the
// engine by hand, asks it, and shows the answer. It decides nothing about
// loops.
//
// A command is a function of app, which carries the streams, the global flags
// and the environment; there are no globals. Data goes to standard output,
// progress and notices to standard error. The exit codes stand in exit.go.
package cli
