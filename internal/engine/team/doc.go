// Package team runs loops whose record is on a server that several machines share
// (stored.Shared): the engine that commands use of such loops (Engine), the worker that
// drives them (Worker), and what travels between machines.
//
//	record     the server, under a lease with an epoch
//	commits    refs/heads/ralph/ID of a remote, moved by compare-and-swap
//	files      a folder or an object store that the machines share, by content (Files)
//
// Commits and files are published before the record names them. An owner that was
// replaced is refused by the server, and so by the remote: it asks the server before it
// pushes.
package team
