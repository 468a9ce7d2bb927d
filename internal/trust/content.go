package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Line is one thing that a repository asks for.
type Line struct {
	// Effect is runs, sends, opens, rules, or file for the content of a program in the
	// repository; Key and Value as in ralph.yaml, without secrets.
	Effect string `json:"effect"`
	Key    string `json:"key"`
	Value  string `json:"value"`
	// SHA256 is that of the exact value, in hex.
	SHA256 string `json:"sha256"`
}

// NewLine returns a line whose exact value may differ from the shown one.
func NewLine(effect, key, shown, exact string) Line {
	return Line{Effect: effect, Key: key, Value: shown, SHA256: hashOf(exact)}
}

// Digest is the SHA-256 of all that is asked for, in hex; "" where nothing is.
func Digest(lines []Line) string {
	if len(lines) == 0 {
		return ""
	}
	exact := make([][3]string, len(lines))
	for i, l := range lines {
		exact[i] = [3]string{l.Effect, l.Key, l.SHA256}
	}
	data, _ := json.Marshal(exact) // texts always encode
	return hashOf(string(data))
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Changes returns the lines of now that before does not have in exactly this form,
// and those of before whose key is gone.
func Changes(before, now []Line) (added, gone []Line) {
	for _, l := range now {
		if !slices.Contains(before, l) {
			added = append(added, l)
		}
	}
	for _, l := range before {
		if !slices.ContainsFunc(now, func(n Line) bool { return n.Effect == l.Effect && n.Key == l.Key }) {
			gone = append(gone, l)
		}
	}
	return added, gone
}
