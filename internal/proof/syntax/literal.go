package syntax

import "ralph/internal/lazyregexp"

// Literal matches a value that is written out: a number or a text in one line.
const Literal = `(?:[-+]?\d[\w.]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`

// TableOfPairs matches the beginning of a table that is written as pairs, and PairOfTable one of
// these; its groups are the key and the value.
var (
	TableOfPairs = lazyregexp.New(`\b(?:new Map|Map::from|dict)\(\s*&?\[`)
	PairOfTable  = lazyregexp.New(`[(\[]\s*(` + LiteralForm + `)\s*,\s*(` + LiteralForm + `)\s*[)\]]`)
)

// LiteralForm matches a number or a text in quotes, those of JavaScript and shells included.
const LiteralForm = `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`\n]*`" + `|-?\b\d[\d_]*(?:\.\d+)?\b`
