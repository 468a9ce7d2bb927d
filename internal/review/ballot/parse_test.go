package ballot

import (
	"strings"
	"testing"
)

const nonce = "0123456789abcdef01234567"

// say is an answer with this verdict.
func say(rest string) string { return `{"nonce": "` + nonce + `", ` + rest + `}` }

func TestParse(t *testing.T) {
	t.Parallel()
	good := say(`"verdict": "approve", "reason": "all there"`)
	for name, tt := range map[string]struct {
		kind   Kind
		answer string
		want   Word
		wrong  string
	}{
		"plain":                 {Spec, good, Approve, ""},
		"in prose and a fence":  {Spec, "I think {so}.\n```json\n" + good + "\n```\nDone {.", Approve, ""},
		"inside of another":     {Spec, `{"result": ` + good + `}`, Approve, ""},
		"said twice the same":   {Spec, good + good, Approve, ""},
		"capitals":              {Spec, say(`"verdict": "REJECT", "reason": "no"`), Reject, ""},
		"after the empty form":  {Spec, say(`"verdict": "approve | reject | abstain"`) + good, Approve, ""},
		"abstains":              {Spec, say(`"verdict": "abstain", "reason": null, "gaps": null`), Abstain, ""},
		"nothing":               {Spec, " \n", "", "empty"},
		"prose":                 {Spec, "APPROVE. I approve of this.", "", "no JSON object"},
		"cannot approve":        {Spec, "I cannot approve: " + say(`"verdict": "cannot approve"`), "", `"cannot approve"`},
		"disapprove":            {Spec, say(`"verdict": "disapprove"`), "", "must be"},
		"approve, with doubts":  {Spec, say(`"verdict": "approve if fixed"`), "", "must be"},
		"no verdict":            {Spec, say(`"reason": "approve"`), "", "must be"},
		"another's nonce":       {Spec, strings.Replace(good, nonce, "ffffffffffffffffffffffff", 1), "", "no JSON object"},
		"a longer nonce":        {Spec, strings.Replace(good, nonce, nonce+"0", 1), "", "no JSON object"},
		"a nonce that is none":  {Spec, `{"nonce": ["` + nonce + `"], "verdict": "approve"}`, "", "no JSON object"},
		"no nonce":              {Spec, `{"verdict": "approve"}`, "", "no JSON object"},
		"two that differ":       {Spec, good + say(`"verdict": "reject", "reason": "no"`), "", "differ"},
		"a key twice":           {Spec, say(`"verdict": "reject", "reason": "x", "verdict": "approve"`), "", "twice"},
		"keys in other letters": {Spec, say(`"Verdict": "approve"`), "", "must be"},
		"cut off":               {Spec, good[:len(good)-5], "", "no JSON object"},
		"gaps and approve":      {Spec, say(`"verdict": "approve", "gaps": ["no tests"]`), "", "lists gaps"},
		"gaps of a plan":        {Magi, say(`"verdict": "approve", "gaps": ["no tests"]`), Approve, ""},
		"gaps are no list":      {Magi, say(`"verdict": "approve", "gaps": "none"`), "", "list of texts"},
		"verdict is a number":   {Magi, say(`"verdict": 1`), "", "must be a text"},
		"reject without reason": {Magi, say(`"verdict": "reject"`), "", "needs a reason"},
		"advice unasked for":    {Spec, say(`"verdict": "approve", "recommendation": "r"`), Approve, ""},
		"unknown advice":        {Magi, say(`"verdict": "approve", "recommendation": "ship it"`), "", "recommendation"},
		"unknown keys":          {Magi, say(`"verdict": "approve", "confidence": 0.4`), Approve, ""},
	} {
		v, err := Parse(tt.kind, tt.answer, nonce)
		if tt.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s: %+v, %v; want an error with %q", name, v, err, tt.wrong)
			}
			continue
		}
		if err != nil || v.Verdict != tt.want || v.Recommendation != Continue {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func TestParseBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2*maxItemBytes)
	v, err := Parse(Magi, strings.Repeat("{", maxObject)+say(`"verdict": "abstain", "gaps": ["`+long+`"`+strings.Repeat(`,"g"`, 2*maxItems)+`]`), nonce)
	if err == nil {
		t.Errorf("%d braces were searched", maxObject)
	}
	v, err = Parse(Magi, strings.Repeat("{ ", maxObjects-1)+say(`"verdict": "abstain", "gaps": ["`+long+`"`+strings.Repeat(`,"g"`, 2*maxItems)+`]`), nonce)
	if err != nil || len(v.Gaps) != maxItems || len(v.Gaps[0]) > maxItemBytes+4 {
		t.Errorf("%d gaps, %v", len(v.Gaps), err)
	}
	reject, approve := say(`"verdict": "reject", "reason": "no"`), say(`"verdict": "approve"`)
	if v, err := Parse(Spec, reject+strings.Repeat("x", 2*maxObject)+approve, nonce); err == nil {
		t.Errorf("two verdicts that are far from each other: %+v", v)
	}
	if v, err := Parse(Spec, approve+strings.Repeat("{ ", maxObjects)+reject, nonce); err == nil {
		t.Errorf("two verdicts with many braces between them: %+v", v)
	}
}

// Whatever comes back, a verdict has its word from an object with the nonce.
func FuzzParse(f *testing.F) {
	f.Add(say(`"verdict": "approve", "reason": "ok", "gaps": ["a"]`))
	f.Add(`{"a":` + say(`"verdict":"reject"`) + "}{{\"nonce\":\xff")
	f.Fuzz(func(t *testing.T, answer string) {
		for _, kind := range []Kind{Spec, Magi} {
			v, err := Parse(kind, answer, nonce)
			if err != nil {
				continue
			}
			if !v.Verdict.Said() || !strings.Contains(answer, nonce) {
				t.Fatalf("%q is %+v", answer, v)
			}
			if v.Verdict == Approve && !strings.Contains(strings.ToLower(answer), "approve") && !strings.Contains(answer, `\u`) {
				t.Fatalf("%q approves", answer)
			}
		}
	})
}
