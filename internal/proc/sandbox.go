package proc

import "ralph/internal/sandbox/room"

// Sandbox is how a child is sandboxed. Parts with a zero value are not used;
// package sandbox decides on their contents.
type Sandbox struct {
	// Wrapper is the command line of a program that starts the command after it
	// as the first process of a new process namespace (bwrap … --).
	Wrapper []string `json:"wrapper,omitempty"`
	// Landlock removes rights from the child.
	Landlock *LandlockRules `json:"walls,omitempty"`
	// Room is the view of the file system in which the wrapper starts. Without a
	// wrapper the child gets a process namespace of ralph's own.
	Room *room.Spec `json:"room,omitempty"`
}

// LandlockRules list the paths that a child may write; it may read and execute
// everything that is not hidden. Landlock rules only add: a path below a listed folder cannot be
// excluded again.
type LandlockRules struct {
	// Dirs may be written with everything below, Files as they are.
	Dirs  []string `json:"dirs"`
	Files []string `json:"files"`
	// Hidden cannot be read, with everything below, except what is Shown. Names in
	// folders can be listed all the same. Where something is hidden, entries that are
	// made later in the folders above it cannot be read either.
	Hidden []string `json:"hidden,omitempty"`
	Shown  []string `json:"shown,omitempty"`
}

// initArg is the first argument of the program as the first process in a sandbox.
const initArg = "__sandbox-init"

// shimArg is the first argument of the program as a shim.
const shimArg = "__shim"

// roomArg is the first argument of the program as the process that builds a room.
const roomArg = "__room"

// IsShim reports whether the program was started as a shim, or as the first
// process in a sandbox. main, and every TestMain of a package that starts
// children, checks this first and then calls ShimMain.
func IsShim(args []string) bool {
	return len(args) > 1 && (args[1] == shimArg || args[1] == initArg || args[1] == roomArg)
}
