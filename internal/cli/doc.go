// Package cli is the command line: it builds the tree of commands, wires the
// engine by hand, maps errors to exit codes, and lets sandboxed agents call it.
// It decides nothing about loops.
//
// Command groups are packages below it (run, resume, status, steer, finish, plan
// and others), each with the few things it needs; they do not import each other.
// They share command (terminal, prompts, signals), exit (codes and errors),
// project (opening a repository with its store and engine), launch (flags and
// configuration → the specification of a loop), runs (the loop or plan that a
// command is about: one handle for both) and foreground (driving a run in this
// process).
//
// Data goes to standard output, progress and notices to standard error. There
// are no globals.
package cli
