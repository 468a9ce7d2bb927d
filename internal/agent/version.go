package agent

import (
	"context"
	"strconv"
	"strings"
	"time"

	"ralph/internal/proc"
)

// Versions is a range of versions, both ends included. Only as many numbers
// are compared as an end has: "2.1" includes 2.1.329.
type Versions struct{ From, To string }

// Include reports whether v, such as "2.1.329" or "codex-cli 0.169.0", is in the
// range. A text without a version is not.
func (r Versions) Include(v string) bool {
	n := numbers(v)
	return n != nil && compare(n, numbers(r.From)) >= 0 && compare(n, numbers(r.To)) <= 0
}

func (r Versions) String() string {
	if r.From == r.To {
		return r.From
	}
	return r.From + " to " + r.To
}

// VersionIn returns the first version in a program's version text.
func VersionIn(text string) string {
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimFunc(strings.TrimPrefix(word, "v"), func(r rune) bool { return strings.ContainsRune("(),;.", r) })
		if numbers(word) != nil {
			return word
		}
	}
	return ""
}

// numbers parses "1.2.3" and "1.2.3-beta"; nil for anything else.
func numbers(v string) []int {
	v, _, _ = strings.Cut(v, "-")
	v, _, _ = strings.Cut(v, "+")
	parts := strings.Split(v, ".")
	if len(parts) < 2 {
		return nil
	}
	out := make([]int, len(parts))
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return nil
		}
		out[i] = n
	}
	return out
}

// compare uses as many numbers as end has.
func compare(v, end []int) int {
	for i, e := range end {
		n := 0
		if i < len(v) {
			n = v[i]
		}
		if n != e {
			return n - e
		}
	}
	return 0
}

// askTime is how long a program may take to print its version while it works:
// some need seconds of computing time, longer on a busy machine.
const askTime = time.Minute

// AskWaits is how long after its start a version is waited for by a caller that
// waits for nothing else.
const AskWaits = 5 * time.Second

// AskVersion returns the version that a program prints for --version; empty when
// it prints none. It runs in the agent's sandbox, since an agent may have
// replaced the program.
func AskVersion(ctx context.Context, program []string, dir string, env []string, inside *proc.Sandbox) string {
	path, err := proc.Find(env, program[0])
	if err != nil {
		return ""
	}
	argv := append(append([]string{path}, program[1:]...), "--version")
	out, err := proc.Probe{Argv: argv, Dir: dir, Env: env, Sandbox: inside, Limit: askTime}.Ask(ctx)
	if err != nil || out.Code != 0 {
		return ""
	}
	return VersionIn(string(out.Stdout))
}
