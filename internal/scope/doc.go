// Package scope decides which files a task declares as its own, with path globs as
// in --scope, and whether two tasks may come into each other's way.
//
// A glob is doublestar's: * and ? stay within a folder, ** crosses folders,
// {a,b} and [a-z] are alternatives. "internal/auth" is the folder with all that is
// in it: a glob stands also for everything below what it matches, unless it ends
// like the name of a file ("*.go"). The package is pure.
package scope
