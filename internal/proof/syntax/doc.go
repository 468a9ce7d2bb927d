// Package syntax reads sources as far as a search by lines needs it: lines without comments,
// statements and functions of Python, blocks of JavaScript, modules of Rust, names that imports
// bind, and one spelling for what a language reads alike.
package syntax
