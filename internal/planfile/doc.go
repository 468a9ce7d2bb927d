// Package planfile reads plans from the files that people keep them in: bytes to
// plan.Plan. It is pure.
//
// A format is recognised by what stands in the file, and by the file's name only
// where the content leaves it open. Whatever is read has passed plan.Validate;
// every mistake is told with file and line. What a format does not say is not
// guessed: where it has no word for "at the same time", the order of the file
// is a dependency.
//
//	prd        seed 002's JSON: tasks with dependencies and phases
//	stories    JSON with userStories, each with a priority and whether it passes
//	sections   seed 003's Markdown: frontmatter, and each ## heading is a unit
//	tasks      Markdown with ### Task N: headings and steps as checkboxes
//	checklist  Markdown whose checkboxes are the tasks
package planfile
