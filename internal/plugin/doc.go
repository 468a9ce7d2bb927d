// Package plugin installs ralph's hooks, tools and instructions in the
// configuration of coding agents.
//
// A Plan says what goes where, one per Target and Scope (programs.go). It has
// Parts; each is a file and ralph's share of it. There are four kinds of share:
//
//	whole     the file is ralph's
//	merged    members and elements of a JSON file, which may have comments
//	tables    tables of a TOML file
//	block     lines of a text between two markers
//
// Each adds what is missing, keeps what is present, and removes exactly what it
// would add. Every byte that is not ralph's stays: files are edited by offsets,
// never encoded anew. A file that cannot be parsed is refused, with line and
// column, before anything is written (apply.go).
package plugin
