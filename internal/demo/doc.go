// Package demo holds what `ralph demo` shows: a throw-away project with real
// tests, and scenarios for the scripted agent. It is data, a function that
// writes it, and the comparison of how a loop ended with how it was announced.
// Nothing is started here.
//
// There are two stories.
//
//   - slugify: three attempts fail alike, ralph forbids that approach, and the
//     fourth passes.
//   - truncate: the agent claims to be done, without a change, then with a wrong
//     one, then again. It is not believed, reaches its cap, and what it did is
//     kept on a wip branch.
//
// And there is a plan of three tasks: both stories at once, and a guide that
// waits for the first and asks a question.
//
// The project exists in variants, one for each test runner that a machine may
// have: python3, node, sh. Go is none of them: nothing tells cheaply whether
// its build cache is warm, and cold its first test takes half a minute.
//
// What is written, below one directory:
//
//	project/   the files of the repository's first commit
//	scripts/   what the agent does on each attempt (package agent/script)
//
// Promises: the tests of every variant fail and pass as the scenarios say;
// attempts that follow each other change the size of what they write, since
// Python takes a compiled module of the same second and size for current; and
// nothing needs a network.
package demo
