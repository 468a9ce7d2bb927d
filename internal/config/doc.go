// Package config reads the settings of a project, a user and a command line, and
// keeps the origin of each value.
//
// # Layers
//
// Five layers are laid over each other, key by key; a higher one wins:
//
//	flags              --max-iterations 3
//	environment        RALPH_LIMITS_MAX_ITERATIONS=3
//	project file       ralph.yaml at the repository's root
//	user file          $XDG_CONFIG_HOME/ralph/config.yaml
//	built in           loop.DefaultLimits, loop.GateTimeout
//
// A project file is the repository's, and a repository may be hostile: it can
// tighten what the user's own file says and never loosen it (policy.go), and what
// it asks to run, to send or to open (Asks) needs a person's consent before a
// command acts on it, and so does what judges less strictly than what was allowed
// (Weakened). Package config only says what is asked for.
//
// Settings is the shape of all of them. Its fields are the only list of keys:
// the strict decoder, the names of the environment variables, the JSON Schema
// and the table in the documentation are all read off its tags, so a key cannot
// exist in one of them and be missing in another.
//
// # Promises
//
//   - Nothing is guessed. An unknown key, a wrong type, a number out of range or
//     a duration without a unit is an Error with file, line, column and what to
//     do. All mistakes of all layers are reported at once, as Errors.
//   - A number that was given is obeyed or refused, never clamped.
//   - A file of another tool is named as such and never half understood.
//   - Reading is bounded: 1 MiB a file, and a fixed number of values however
//     often aliases repeat them.
//   - The project file's SHA-256 is kept in Resolved.Digest. A loop stores it
//     with the frozen gates, so that a later change of the file is noticed and
//     changes nothing.
//
// # What is not here
//
// No command is run and nothing is detected (see package detect). Whether the
// tool of a gate exists is found out when the gate runs.
package config
