package view

import "ralph/internal/loop"

// migrated is one of everything that migrating can say.
func migrated(words string) Migration {
	lost := []Lost{{"learnings", "ralph has no place for it"}, {words, "is not kept"}, {"branch", "ralph has no place for it"}}
	return Migration{
		Schema:  MigrateSchema,
		Folders: []MigratedFolder{{"aiwg", ".aiwg/ralph", lost}, {"claude", ".claude/ralph-loop.local.md", nil}},
		Loops: []MigratedLoop{
			{Source: ".aiwg/ralph/loops/a/state.json", ForeignID: "a", Result: MigrateImported, LoopID: new("a"), Task: words, Status: loop.Paused, Message: "brought along from aiwg at iteration 2 of 10", Iteration: 2, MaxIterations: 10, Gate: new(words), Next: new("ralph resume a"), Lost: lost},
			{Source: ".aiwg/ralph/loops/b/state.json", ForeignID: words, Result: MigrateWaiting, Task: words, Message: words},
			{Source: ".claude/ralph-loop.local.md", ForeignID: "", Result: MigrateChanged, LoopID: new("claude-x"), Message: "it has changed there"},
		},
		Problems: []MigrationProblem{{Path: ".aiwg/" + words, Line: 3, Why: words, Hint: words}},
		Totals:   Ended{Passed: 4, Aborted: 2}, Patterns: 3, Link: &MigratedLink{"current-loop.json", "../x", "current-loop.json.before-ralph"},
	}
}
