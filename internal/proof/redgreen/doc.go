// Package redgreen makes the versions of a work on which its tests must fail: with its product
// changes undone (Undone), and with the functions that it wrote failing, returning nothing or
// giving other values (Hollowed). It compares what a gate said of them (Compare).
package redgreen
