// Package addition finds out whether a file of tests only gained tests: others at its end, whole
// ones between others, the imports that they need, and cases in its tables.
package addition
