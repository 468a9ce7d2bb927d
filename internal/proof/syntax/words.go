package syntax

import "ralph/internal/lazyregexp"

var (
	// Word matches a word of code.
	Word = lazyregexp.New(`\w+`)
	// Quoted matches a text in quotes; its group is the text.
	Quoted = lazyregexp.New(`["']([^"'\n]+)["']`)
	// GoPackage matches the clause of a package of Go; its group is the name.
	GoPackage = lazyregexp.New(`(?m)^package (\w+)`)
	// NodeEndings are the endings with which node and bundlers find a module.
	NodeEndings = []string{"", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}
)
