package demo

import "ralph/internal/loop"

// Story is one task of the demonstration, and how it must end.
type Story struct {
	// Name is the loop's id and the task's, and part of the files' names.
	Name string
	Task string
	// Announced tells what will happen before it does.
	Announced string
	// MaxIterations is the cap.
	MaxIterations int
	Ending        Ending
}

// Ending is how a story must end, in terms of what the store has recorded.
type Ending struct {
	Status   loop.Status
	Reason   loop.Reason
	Attempts []Attempt
	// Kept says that there must be a failure branch.
	Kept bool
}

// Attempt is what must be on record about one attempt.
type Attempt struct {
	Passed, Changed bool
	// Same: it failed with the fingerprint of the attempt before it.
	Same bool
	// Shift: it was made under a shift of strategy.
	Shift bool
}

// Stories are the two tasks, in the order in which they are shown.
func Stories() []Story {
	return []Story{
		{
			Name:          "slugify",
			Task:          "slugify: turn titles into names for URLs",
			Announced:     "Three attempts will make the same mistake. ralph notices, forbids that approach, and the fourth attempt passes.",
			MaxIterations: 5,
			Ending: Ending{
				Status: loop.StatusPassed, Reason: loop.Green,
				Attempts: []Attempt{{Changed: true}, {Changed: true, Same: true}, {Changed: true, Same: true}, {Changed: true, Passed: true, Shift: true}},
			},
		},
		{
			Name:          "truncate",
			Task:          "truncate: shorten texts to a limit",
			Announced:     "This one fails, on purpose. The agent claims to be done: without a change, with a wrong one, and again. ralph believes its own gate, stops at the cap of 3 and keeps the work on a wip branch.",
			MaxIterations: 3,
			Ending: Ending{
				Status: loop.StatusFailed, Reason: loop.MaxAttempts,
				Attempts: []Attempt{{}, {Changed: true}, {Same: true}},
				Kept:     true,
			},
		},
	}
}
