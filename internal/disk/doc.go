// Package disk tells when a disk is full. What fails then proves nothing about the
// work: it is done again when there is room.
package disk
