// Package cli is the command line: it builds the tree of commands, wires the
// engine by hand, maps errors to exit codes, and lets sandboxed agents call it.
// It decides nothing about loops.
//
// Command groups are packages below it (agentloop, doctor, learn, migrate,
// plugin, setup), each with the few things it needs; they do not import each
// other. They share command (terminal, prompts, signals), exit (codes and
// errors), project (opening a repository with its store and engine, choosing
// loops) and launch (flags and configuration → the specification of a loop). The
// other groups are still methods of app here.
//
// Data goes to standard output, progress and notices to standard error. There
// are no globals.
package cli
