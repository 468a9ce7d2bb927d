// Package planfile reads plans from the files that people keep them in, and
// writes back how far they are: bytes to plan.Plan and bytes again. It is pure.
//
//	Read ──▶ File ──▶ Write(changes) ──▶ Written: the bytes, the edits, what is left
//	           └────▶ Merge(now, changes)  the same, in a file that changed meanwhile
//
// A format is recognised by what stands in the file, and by the file's name only
// where the content leaves it open. Whatever is read has passed plan.Validate;
// every mistake is told with file and line. What a format does not say is not
// guessed: where it has no word for "at the same time", the order of the file
// is a dependency.
//
// Of a file ralph owns a status here, a box there (docs/formats.md has the
// table). Nothing is encoded anew: a reader keeps the offsets of what it read,
// and a hand for each family of formats replaces those bytes alone.
//
//	jsonHand      fields of JSON objects, by the names of each format
//	ticks         checkboxes, one byte each
//	sectionsHand  keys of YAML frontmatter, line by line
//
// A change that a format has no place for is given back, and so is every change
// if the result could not be read or would not say what it should.
package planfile
