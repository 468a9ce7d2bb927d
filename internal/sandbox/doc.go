// Package sandbox decides what agents, gates and set-up commands may write, and
// makes of it a bubblewrap command line or Landlock rules for package proc.
//
// # Against whom
//
// An agent that wants its gates green by any means: by writing ralph's memory of
// the loop, the repository's configuration and hooks, other branches, another
// loop's worktree, the person's own tree; by signals to ralph; by a daemon that
// outlives it; by what ralph or a gate will execute later. A gate runs what the
// agent wrote, so that it is held in the same way.
//
// It hides nothing that the person can read, and it does not keep an agent from
// the network: agents need their providers, and their logins.
//
// # What may be written
//
// Paths are claimed, writable or read-only, and the deepest claim decides:
//
//	/                            read-only
//	/tmp, /var/tmp               the run's own folder (bubblewrap); writable (Landlock)
//	home                         what begins with a dot, and known caches
//	… in it, never               keys, git's and ralph's configuration, start files of
//	                             shells, folders on PATH, ralph's state
//	the repository               read-only with everything in it, all its worktrees
//	the run's own tree           writable, except its .git
//	a repository lent to it      writable: its objects, its copy of the refs
//	what a person added          writable, unless it lies in what is never writable
//
// What is not there cannot be claimed, and could be made: so stand-ins, which mean
// nothing to who reads them, are put there for the time (Profile.Occupy). Made
// once and for all they would clutter homes, and some programs refuse to install
// where their folder exists; looked for only afterwards, what an agent made would
// have been run by then, by the git of the person or of ralph itself.
//
// # What holds it
//
// Bubblewrap gives processes a view of the file system, a process namespace
// (nobody outside can be seen, signalled or traced), no capabilities, and, where
// a gate says so, no network. A folder between a writable one and a read-only
// one below it is mounted on itself: else it could be moved away with what it
// protects. Sockets through which a service outside would run commands (the
// person's systemd and D-Bus) are covered.
//
// Landlock forbids writes. It needs no program and no namespaces, but its rules
// only add: what is new in a folder cannot be told from what is old. So in the
// home only entries that are there already can be written, an agent can replace
// its tree's .git (which ralph does not follow), and in the person's own tree
// (--in-place) it could hold nothing and is not used. Signals and ptrace are
// refused from Linux 6.12 on, the network never. Root's capabilities go, but for
// those of files and ids: some of them see through it.
package sandbox
