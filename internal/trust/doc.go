// Package trust keeps what a person allowed on this machine: the settings of a
// repository that run programs, and the stores that ralph made here.
//
// # Who is trusted with what
//
// A repository can come from anywhere. Its ralph.yaml names programs to run, and a
// store in its .git directory holds loops with their commands. Neither is acted on
// before a person allowed exactly that content, once. The record of it lies outside
// of every repository, where neither a clone nor an unpacked archive contains it:
//
//	$XDG_STATE_HOME/ralph/trust/
//	  allowed/<repository>-<content>.json   one file for each content that was allowed
//	  stores/<repository>-<store>.json      one file for each store
//	  revoked/<repository>-<store>.json     stores whose permission was taken back; allows nothing
//
// <repository> is a hash of the real path of the git directory, <content> is the
// SHA-256 of what is asked for, <store> the random name in the store's file
// store.id. A file is written once and never changed, so that two processes cannot
// lose each other's entries. What cannot be read counts as not allowed.
//
// # A store that moved
//
// A directory that was renamed on one file system keeps its inode and the time at which it
// was made: a store whose directory is the same one, and no longer at its former place, is
// recognised without a question, with all that was allowed for it. An unpacked archive, a
// copy and a restored backup are other directories, at the place of the original too where
// the file system tells when a directory was made.
package trust
