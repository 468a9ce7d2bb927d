// Package disk tells when a disk is full, or cannot be written. What fails then proves
// nothing about the work: it is done again when it can be.
package disk
