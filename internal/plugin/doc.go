// Package plugin teaches other programs about ralph: the coding agents that
// are to run its hooks, its tools and its words.
//
// What is put where is a Plan, one per Target and Scope (programs.go). A plan has Parts; each is a file and
// what ralph has in it. There are four ways to have something in a file:
//
//	whole     the file is ralph's
//	merged    members and elements of a JSON file, which may have comments
//	tables    tables of a TOML file
//	block     lines of a text between two markers
//
// All of them add what is missing, leave alone what is there, and take out
// exactly what they would put in. Every byte that is not ralph's stays: files
// are edited by offsets, never written anew from what was understood of them.
// A file that cannot be parsed is refused, with its place, before anything is
// written (apply.go).
package plugin
