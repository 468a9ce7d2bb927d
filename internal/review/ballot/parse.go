package ballot

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"ralph/internal/text"
)

// The fields that are read from an answer.
const (
	maxObject    = 256 << 10 // bytes of one object
	maxObjects   = 500
	maxItems     = 50
	maxItemBytes = 500
	maxReason    = 1000
)

// errMany is returned for an answer that is not searched to its end.
var errMany = errors.New("the answer holds too many JSON objects")

// Parse finds the verdict with this nonce in an answer, which may have words
// around it. Errors are written for the reviewer.
//
// Objects without the nonce do not exist: a diff may hold a perfect approval.
// Two verdicts that differ are none.
func Parse(kind Kind, answer, nonce string) (Verdict, error) {
	var found *Verdict
	var wrong error
	for keys, err := range marked(answer, nonce) {
		v := Verdict{}
		if err == nil {
			v, err = read(kind, keys)
		}
		switch {
		case errors.Is(err, errMany):
			return Verdict{}, err
		case err != nil:
			wrong = err
		case found != nil && found.Verdict != v.Verdict:
			return Verdict{}, errors.New("the answer holds two verdicts that differ")
		default:
			v.Nonce, found = nonce, &v
		}
	}
	if found != nil {
		return *found, nil
	}
	return Verdict{}, missing(answer, wrong)
}

// missing is why an answer holds nothing that counts.
func missing(answer string, wrong error) error {
	switch {
	case wrong != nil:
		return wrong
	case strings.TrimSpace(answer) == "":
		return errors.New("the answer is empty")
	}
	return errors.New("the answer holds no JSON object with the nonce")
}

// marked yields the members of every JSON object in an answer that has the nonce,
// or what is wrong with them. Other objects do not count: one with the nonce may
// stand inside of them.
func marked(answer, nonce string) iter.Seq2[map[string]json.RawMessage, error] {
	return func(yield func(map[string]json.RawMessage, error) bool) {
		for range maxObjects {
			i := candidate(answer, nonce)
			if i < 0 {
				return
			}
			answer = answer[i:]
			keys, n, err := members(answer[:min(len(answer), 2*maxObject)])
			var got string
			_ = json.Unmarshal(keys["nonce"], &got) // not a text, not the nonce
			if n == 0 || got != nonce {
				n = 1
			} else if !yield(keys, err) {
				return
			}
			answer = answer[n:]
		}
		if candidate(answer, nonce) >= 0 {
			yield(nil, errMany)
		}
	}
}

// candidate is the index of the first brace that may begin an object with the nonce, or -1.
func candidate(answer, nonce string) int {
	for from := 0; ; {
		at := strings.Index(answer[from:], nonce)
		if at < 0 {
			return -1
		}
		at += from
		first := max(from, at-maxObject)
		if i := strings.IndexByte(answer[first:at], '{'); i >= 0 {
			return first + i
		}
		from = at + len(nonce)
	}
}

// members returns the keys of the object at the start of answer, and its
// length; 0 where there is none. A key that occurs twice is an error: readers
// differ in which one they believe.
func members(answer string) (map[string]json.RawMessage, int, error) {
	dec := json.NewDecoder(strings.NewReader(answer))
	if token(dec) != json.Delim('{') {
		return nil, 0, nil
	}
	out := map[string]json.RawMessage{}
	var twice error
	for dec.More() {
		name, ok := token(dec).(string)
		var value json.RawMessage
		if ok {
			ok = dec.Decode(&value) == nil
		}
		if !ok {
			return nil, 0, nil
		}
		if _, has := out[name]; has {
			twice = fmt.Errorf("the key %q occurs twice", text.Head(name, 40))
		}
		out[name] = value
	}
	if token(dec) != json.Delim('}') {
		return nil, 0, nil
	}
	return out, int(dec.InputOffset()), twice
}

// token is the next one; nil where there is none.
func token(dec *json.Decoder) json.Token {
	t, _ := dec.Token()
	return t
}

func read(kind Kind, keys map[string]json.RawMessage) (v Verdict, err error) {
	v.Schema = VerdictSchema
	word, err := stringField(keys, "verdict", 40)
	if err != nil {
		return v, err
	}
	if v.Verdict = Word(strings.ToLower(word)); !v.Verdict.Said() {
		return v, fmt.Errorf("verdict is %q: it must be approve, reject or abstain", word)
	}
	if v.Reason, err = stringField(keys, "reason", maxReason); err != nil {
		return v, err
	}
	for name, to := range map[string]*[]string{"gaps": &v.Gaps, "edge_cases": &v.EdgeCases, "extra": &v.Extra, "resolved": &v.Resolved} {
		if *to, err = list(keys, name); err != nil {
			return v, err
		}
	}
	if kind == Magi { // only magi are asked for one, and it decides nothing
		advice, err := stringField(keys, "recommendation", 40)
		if err != nil {
			return v, err
		}
		v.Recommendation = Advice(strings.ToLower(advice))
	}
	if kind == Judges {
		if v.Files, err = files(keys); err != nil {
			return v, err
		}
	}
	return v, v.sound(kind)
}

// files reads the answers about judge files. A path that has two is an error: readers
// differ in which one they believe.
func files(keys map[string]json.RawMessage) (out []File, err error) {
	if raw, ok := keys["files"]; ok && json.Unmarshal(raw, &out) != nil {
		return nil, errors.New("files must be a list of objects with path, allow (true or false) and reason")
	}
	seen := map[string]bool{}
	for i := range out {
		if seen[out[i].Path] {
			return nil, fmt.Errorf("files has two answers for %q", text.Head(out[i].Path, maxItemBytes))
		}
		seen[out[i].Path], out[i].Reason = true, text.Head(text.Line(out[i].Reason), maxItemBytes)
	}
	return out, nil
}

// sound refuses a verdict that contradicts itself.
func (v *Verdict) sound(kind Kind) error {
	switch v.Recommendation {
	case "":
		v.Recommendation = Continue
	case Continue, NeedsHumanInput, Archive:
	default:
		return fmt.Errorf("recommendation is %q: it must be continue, needs_human_input or archive", v.Recommendation)
	}
	switch {
	case v.Verdict == Reject && v.Reason == "":
		return errors.New("a rejection needs a reason")
	case kind == Spec && v.Verdict == Approve && len(v.Gaps) > 0:
		return errors.New("it approves and lists gaps: work with a gap is rejected")
	case kind == Judges && v.Verdict == Approve && (len(v.Files) == 0 || slices.ContainsFunc(v.Files, func(f File) bool { return !f.Allow })):
		return errors.New("it approves and does not allow every file: that is a rejection")
	}
	return nil
}

func stringField(keys map[string]json.RawMessage, name string, most int) (string, error) {
	raw, ok := keys[name]
	if !ok || string(raw) == "null" {
		return "", nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", fmt.Errorf("%s must be a text", name)
	}
	return text.Head(text.Line(s), most), nil
}

func list(keys map[string]json.RawMessage, name string) ([]string, error) {
	raw, ok := keys[name]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	var all []string
	if json.Unmarshal(raw, &all) != nil {
		return nil, fmt.Errorf("%s must be a list of texts", name)
	}
	var out []string
	for _, s := range all {
		if s = text.Head(text.Line(s), maxItemBytes); s != "" && len(out) < maxItems {
			out = append(out, s)
		}
	}
	return out, nil
}
