// Package detect looks at a project's files and proposes gates and setup
// commands for it. `ralph init` shows them, runs each gate once and writes what
// the user keeps.
//
// # What it reads
//
// Only files, through an fs.FS; nothing is started, and whether a program is
// installed is asked from a function. Files above 1 MiB, and trees above 20,000
// entries, are not read to their end: what is not seen is not proposed, except
// that a tree too large to search is taken to hold tests.
//
// # What it proposes
//
// Five gates, by their names: tests, types, lint, coverage, visual. A language's
// own runner comes before a Makefile, a Makefile before a script, since the
// output of a known runner tells which test failed. A second language at the top
// gets names of its own (tests-node). Projects in sub-directories are listed
// apart, for the user to choose from.
//
// # What it does not propose
//
// A gate that would pass without checking anything: the placeholder that
// `npm init` writes, a make target hidden by a folder of its name, a tsconfig
// that only refers to others, a runner without a single test. Each such
// near-miss leaves a remark. A gate that would not end, such as a test script in
// watch mode, is not proposed either.
package detect
