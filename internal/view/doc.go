// Package report puts loops into words: lines while they run, lists, one
// loop's story, the morning report, and the JSON objects of all of these. It
// is pure: it gets states and facts and returns text, and faces print what it
// returns. All faces therefore say the same, and goldens hold what they say.
//
// Order is always the same: what needs you, what runs, what waits, what ended.
// Every stop names the next command with the loop's id filled in.
//
// Words are chosen with care. "passed" stands only beside the evidence of
// gates that ralph ran; what an agent says is "claimed". An unknown cost is
// "n/a", never zero; an estimate is called one. A scripted agent and a person
// who plays the agent are labelled wherever the agent is named.
//
// Times are shown in the zone of the given now, in plain lines and JSON in
// UTC. Everything that came from elsewhere goes through Clean first. Marks
// (✓ ✗ ? ● ○) and colours always come with a word, so neither is ever the
// only signal.
//
// The objects carry their schema's name: ralph.loop/v1, ralph.status/v1,
// ralph.report/v1. Fields are only ever added. Unknown is null.
package view
