// Package powercut takes the power from a file system: what was written and not
// yet synced is lost, as on a machine that goes dark. It needs Linux, root and a
// loop device.
package powercut
