// Package kept keeps the files of loops that have ended in one file each.
//
// A loop leaves prompts, outputs, diffs and process records, many of them empty or
// small, in a tree of folders: more inodes and blocks than content. When the loop has
// ended, Pack writes them into evidence.zip beside the folders, and removes the folders:
//
//	loops/<id>/attempts/001/prompt.md  →  loops/<id>/evidence.zip: attempts/001/prompt.md
//
// # Readers
//
// A reader names a file by the path at which it was written. Size, Open and ReadFile find
// it there, or else in the nearest evidence.zip above it, so that a caller need not know
// whether the loop has been packed.
//
// # Crashes
//
// The archive is complete and durable under its name before the first file is removed. A
// file that exists outside of the archive is the newer one: it counts, and the next Pack
// puts it into the archive in place of the older one. So a process can be killed at every
// step, and a file that is written after the end, for example by ralph accept, is found.
//
// An archive that is damaged gets another name with the next Pack, and is kept.
//
// A file that changed while it was packed is not removed. Two processes that pack one loop
// exclude each other by a kernel lock on its folder; on Windows, which has no such lock,
// nothing is packed.
package kept
