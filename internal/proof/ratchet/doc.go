// Package ratchet compares the tests that ran on the base with those that ran on the work: which
// passed there and are lost here.
package ratchet
