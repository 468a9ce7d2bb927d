// Package view shows loops and plans: lines while they run, lists, the story of
// one, the morning report, and the JSON objects of all of these. It is pure: it
// takes states and facts and returns text, which front ends print. All front
// ends therefore show the same text; goldens hold it.
//
// What is shown is worked out once. Item and PlanItem are what is known of a loop
// and of a plan: the recorded state and the facts beside it. Builders make views of
// them: Run, which the two have in common and every list shows; Loop (LoopOf); Plan
// (PlanOf); the morning report (Summarize). Text, JSON, Markdown, HTML and JUnit are
// renderers of views and look into no state, which a test holds. What to type next
// comes from package next. The lines of a run (Lines, Plain, PlanLines) tell events,
// and take the states around them.
//
// A new noun is a view with a builder, and embeds Run where it stands in lists. A new
// format is a file with functions of the views that exist. What it shows that no view
// has yet is added to the view and its builder, with a row in the builder's test.
//
// Order is always the same: runs that need the user, running, waiting, ended.
// Every stop names the next command with the loop's id filled in.
//
// "passed" stands only beside the evidence of gates that ralph ran; statements
// of an agent are "claimed". An unknown cost is "n/a", never zero; an estimate is
// called one. A scripted agent and a person in the role of an agent are labelled
// wherever the agent is named.
//
// Times are shown in the zone of the given now, in plain lines and JSON in
// UTC. Foreign text goes through text.Clean first. Marks
// (✓ ✗ ? ● ○) and colours always come with a word, so neither is ever the
// only signal.
//
// The objects carry their schema's name: ralph.loop/v1, ralph.status/v1,
// ralph.report/v1. Fields are only ever added. Unknown is null.
package view
