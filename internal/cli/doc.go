// Package cli is the command line: it builds the tree of commands, maps errors to
// exit codes, and lets sandboxed agents call it. It decides nothing about loops.
//
// Command groups are packages below it, each with the few things it needs:
// agentloop, demo, doctor, finish, learn, migrate, move, notify, plan, plugin, resume, run,
// serve, setup, status, steer, watch, web and worker. They do not import each other. The
// commands version, schema and mcp are in this package. The groups share command (terminal, prompts, signals), exit (codes and errors),
// project (opens a repository and wires its store and engine by hand), launch (flags and
// configuration → the specification of a loop), runs (the loop or plan that a
// command is about: one handle for both), foreground (driving a run in this process) and
// repositories (the runs of all repositories of the user).
//
// Data goes to standard output, progress and notices to standard error. There
// are no mutable globals of its own; the order of commands is a global of cobra, set once.
package cli
