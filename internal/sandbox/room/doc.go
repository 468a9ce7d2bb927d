// Package room builds a view of the file system in which a process may write
// without changing anything: layers over directories, whose changes vanish with
// the view. It runs inside a process that package proc started in namespaces of
// its own, and knows nothing about gates and agents.
//
// A view is a list of mounts, made in order. All their sources are opened before
// the first mount, so that a source is never taken from a mount that covers it.
//
//	ralph (shim)
//	  └─ enter: new user and mount namespace, makes the mounts
//	       └─ bubblewrap or an init: nested namespaces, in which the mounts above
//	          are locked
//
// Layers that a view discards are in a tmpfs that no path leads to once the view
// is complete. On older kernels a tmpfs has no extended attributes of users, and
// inside a container the root is an overlay itself, over which no other can keep
// its changes on disk: what works is tried, with [Trial].
//
// Differences from a plain directory, all of the kernel's overlay: renaming a
// directory of a lower layer fails with EXDEV, as between two file systems; hard
// links between files of a lower layer break at the first write; a file whose
// owner or group is not mapped in the namespace cannot be changed (EOVERFLOW).
package room
