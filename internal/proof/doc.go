// Package proof decides what the verdict "passed" needs besides green gates, from
// facts that adapters collected: which changed files are judges, what the base's
// judges say, which tests were lost, what a canary showed, and whether anything
// fails without the work. It is pure; package worker carries it out.
//
//	clean room      a gate sees the commit, and nothing that an agent or a gate left
//	base's judges   the work passes with the judge files of the base, too (judge)
//	ratchet         every test that passed on the base runs and passes (ratchet)
//	canary          a test of ralph's own, which must fail, is reported as failed
//	red-green       something fails without the work and passes with it (redgreen)
//
// Package suspect names lines for which gates may be green although the task is not done.
// Package addition finds changes of tests that only add some, manifest merges lists of
// dependencies, and syntax reads sources for all of them.
// This package has what all of them know: the files of a commit, their languages and tests by
// the conventions of these, and links.
package proof
