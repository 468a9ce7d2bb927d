// Package redgreen makes the versions of a work on which its tests must fail: with its product
// changes undone (Undone), and with the functions that it wrote failing, returning nothing or
// giving other values (Hollowed). It compares what a gate said of them (Compare).
//
// Red-green asks what fails without the work and passes with it. The gates run once
// more on the work's commit with its product changes undone and its tests kept:
//
//	assertion  a test that passes with the work fails there by its name
//	build      the tests cannot be compiled, loaded or found there, or find no name that
//	           the work added; a test without any assertion would do, so this is weaker
//	exit       a command that names no tests exits differently; the weakest
//
// A change of tests only, and one of documents only, undoes nothing that a test
// could see: it is not proved. Work of that kind is exempt where people say so.
package redgreen
