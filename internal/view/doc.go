// Package view shows loops and plans: lines while they run, lists, the story of
// one, the morning report, and the JSON objects of all of these. It is pure: it
// takes states and facts and returns text, which front ends print. All front
// ends therefore show the same text; goldens hold it.
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
