package ballot

import "testing"

func TestJudgesAnswer(t *testing.T) {
	t.Parallel()
	const head = `{"nonce": "n1", "reason": "r", "verdict": `
	for answer, wrong := range map[string]bool{
		head + `"approve", "files": [{"path": "a", "allow": true}]}`:                               false,
		head + `"reject", "files": [{"path": "a", "allow": true}, {"path": "b", "allow": false}]}`: false,
		head + `"reject"}`:  false, // allows nothing
		head + `"abstain"}`: false,
		head + `"approve"}`: true, // of nothing
		head + `"approve", "files": [{"path": "a", "allow": true}, {"path": "b", "allow": false}]}`: true,
		head + `"approve", "files": [{"path": "a", "allow": "true"}]}`:                              true,
		head + `"reject", "files": [{"path": "a", "allow": false}, {"path": "a", "allow": true}]}`:  true,
		head + `"approve", "files": {"a": true}}`:                                                   true,
	} {
		if _, err := Parse(Judges, answer, "n1"); (err != nil) != wrong {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// Every vote must allow a file: one without an answer does not.
func TestAllows(t *testing.T) {
	t.Parallel()
	yes := Vote{Reviewer: "one", Vote: Approve, Files: []File{{Path: "a", Allow: true}}}
	no := Vote{Reviewer: "two", Vote: Reject, Files: []File{{Path: "a", Reason: "weaker"}}}
	silent, late := Vote{Reviewer: "three", Vote: Reject}, Vote{Reviewer: "four", Vote: Late, Files: yes.Files}
	for _, c := range []struct {
		votes      []Vote
		allow, any bool
	}{
		{[]Vote{yes}, true, true},
		{[]Vote{yes, no}, false, true},
		{[]Vote{no, yes}, false, true},
		{[]Vote{yes, silent}, false, true},
		{[]Vote{late}, false, false},
		{[]Vote{late, yes}, true, true},
		{nil, false, false},
	} {
		f, _, ok := Outcome{Votes: c.votes}.Allows("a")
		if f.Allow != c.allow || ok != c.any {
			t.Errorf("%v: %v, %v", c.votes, f, ok)
		}
	}
}
