// Package sandbox decides what agents, gates and set-up commands may write, and
// turns that into a bubblewrap command line or Landlock rules for package proc.
//
// # Threat
//
// An agent that wants its gates green by any means: by writing ralph's state of
// the loop, the repository's configuration and hooks, other branches, another
// loop's worktree or the user's own tree; by sending signals to ralph; by a
// daemon that outlives it; by writing what ralph or a gate will execute later.
// A gate runs code that the agent wrote, so it is sandboxed in the same way.
//
// An agent reads what the user can read, except what is hidden (Profile.Hide): keys,
// logins and histories that it does not need. The sandbox does not cut agents off the
// network: they need their providers, and their logins.
//
// # What may be written
//
// Each path has a rule, writable or read-only; the deepest rule decides:
//
//	/                            read-only
//	/tmp, /var/tmp               the run's own folder (bubblewrap); writable (Landlock)
//	home                         names that begin with a dot, and known caches
//	… in it, never               keys, git's and ralph's configuration, shell startup
//	                             files, folders on PATH, ralph's state
//	the repository               read-only, with all its worktrees
//	the run's own tree           writable, except its .git
//	a quarantine repository      writable: its objects, its copy of the refs
//	sandbox_write                writable, unless it lies in a path that never is
//
// A path that does not exist cannot be protected, and could be created. So
// placeholders, which mean nothing to the programs that read them, are created
// there for the time (Profile.CreatePlaceholders). Permanent ones would clutter
// homes, and some programs refuse to install where their folder exists; a check
// afterwards would come too late, since the user's git or ralph's own could have
// run what the agent created.
//
// # Mechanisms
//
// Bubblewrap gives processes a view of the file system, a process namespace (no
// process outside can be seen, signalled or traced), no capabilities, and no
// network where a gate says so. A folder between a writable one and a read-only
// one below it is mounted on itself: otherwise it could be moved away together
// with what it protects. Sockets through which a service outside would run
// commands (the user's systemd and D-Bus) are covered.
//
// Landlock forbids writes. It needs no program and no namespaces, but its rules
// only add: new entries of a folder cannot be told from old ones. So in the home
// only existing entries can be written, and an agent can replace its tree's .git
// (which ralph does not follow). In the user's own tree (--in-place) Landlock
// could protect nothing and is not used. Signals and ptrace are blocked from
// Linux 6.12 on, the network never. Root's capabilities are dropped except those
// of files and ids: some of them bypass Landlock.
package sandbox
