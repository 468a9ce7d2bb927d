// Package canary writes tests that must fail into copies of the tests of a project,
// to see whether its test runner reports failures at all.
//
// A canary stands where the product is loaded, since what swallows failures may be
// in the product: a Go file in each package that has tests, and else lines that are
// added to each file of tests. It tries every form of assertion that the file can
// use. Its names are made of syllables like other names, and new for each run. A
// canary that the runner of the base does not report says nothing about the work,
// so the gate runs with canaries on the base before the work is accused.
//
// The project's own tests are made to fail as well, under their own names: a product that lets
// only some named tests pass lets these pass, too. Those that end with a literal expect another
// one, the others fail at their end: a product that looks up what its tests expect, or whose
// answers equal any value, passes the former.
//
// In the same run functions of the work are asked for inputs near those of the tests
// (Options.Work). These tests fail where a function answers its tests and no more. Such a
// failure is no accusation: people are told.
//
// Not caught: code that finds out that it runs beside a canary.
package canary
