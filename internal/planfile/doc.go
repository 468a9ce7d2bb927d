// Package planfile reads plans from files in twelve formats and writes progress
// back into them: bytes to plan.Plan and bytes again. It is pure.
//
//	Read ──▶ File ──▶ Write(changes) ──▶ Written: the bytes, the edits, what is left
//	           └────▶ Merge(now, changes)  the same, in a file that changed meanwhile
//
// The content decides the format; the file's name only where the content leaves
// it open. Every plan that is returned has passed plan.Validate, and every
// mistake carries file and line. Nothing is guessed: where a format cannot
// express "at the same time", the order of the file is a dependency.
//
// Of a file ralph owns a status here, a box there (docs/plans.md has the
// table). Nothing is encoded anew: reading keeps offsets, and the writer of a
// family of formats replaces only its own bytes.
//
//	jsonWriter      fields of JSON objects, by the names of each format
//	ticks           checkboxes, one byte each
//	sectionsWriter  keys of YAML frontmatter, line by line
//
// Markdown is read line by line and not with a CommonMark parser: the tools that
// own these formats do so too. They know boxes such as [-], [~] and [/], which a
// parser takes for text, and boxes indented by four spaces, which it takes for
// code; and the writer needs the offset of the byte between the brackets.
//
// Write returns each change that the format has no place for, and all changes if
// the result could not be read or would mean something else.
package planfile
