package text

import (
	"strings"
	"unicode/utf8"
)

// examined is how much of a line is read; an error is stated near its beginning.
const examined = 2000

// ErrorLike reports whether a plain line looks like an error: by a word, by a
// mark of a test runner, by a comparison, or by a source position with a message
// as compilers and linters print it. It runs over every line of every output, so
// it scans by hand.
func ErrorLike(line string) bool {
	line = line[:min(len(line), examined)]
	s := strings.TrimLeft(line, " \t")
	if s == "" || calm(s) {
		return false
	}
	return strings.HasPrefix(line, "E  ") || marked(s) || states(s) || positioned(s)
}

// calm reports whether a line uses such words for a success, or only introduces
// the error.
func calm(s string) bool {
	for _, p := range []string{"✔", "✓", "ok ", "ok\t", "PASS", "--- PASS", "=== ", "Traceback (most recent", `File "`, "at ", "Error Trace:"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return none(s)
}

// none: "0 errors", "no failures".
func none(s string) bool {
	for _, zero := range []string{"0 ", "no "} {
		i := strings.Index(s, zero)
		if i < 0 || i > 0 && s[i-1] != ' ' {
			continue
		}
		for _, what := range []string{"error", "fail", "problem", "warning"} {
			if strings.HasPrefix(s[i+len(zero):], what) {
				return true
			}
		}
	}
	return false
}

func marked(s string) bool {
	if strings.Contains(s, "!= ") || strings.Contains(s, "!==") {
		return true
	}
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if strings.ContainsRune("✖✕✗×●", r) {
			return true
		}
		i += n
	}
	return false
}

// states checks the words of a line.
func states(s string) bool {
	for i := 0; i < len(s); {
		if !letter(s[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(s) && (letter(s[j]) || s[j] == '\'') {
			j++
		}
		if bad(s[i:j]) || i > 0 && s[i-1] == ' ' && phrase(s[i:]) || i == 0 && phrase(s) {
			return true
		}
		i = j
	}
	return false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func bad(word string) bool {
	if len(word) < 3 || len(word) > 40 {
		return false
	}
	if strings.HasSuffix(word, "Error") || strings.HasSuffix(word, "Exception") {
		return true
	}
	switch strings.ToLower(word) {
	case "error", "errors", "exception", "fail", "failed", "failure", "failures", "fatal", "panic", "panicked",
		"cannot", "can't", "undefined", "unresolved", "undeclared", "denied", "refused", "timeout", "assert", "assertion",
		"expected", "unexpected", "mismatch", "invalid", "missing", "segmentation", "killed", "abort", "aborted",
		"want", "got", "received", "actual", "unused", "uninitialized":
		return true
	}
	return false
}

func phrase(s string) bool {
	for _, p := range []string{"not found", "no such", "No such", "No module", "could not", "Could not", "timed out", "is not defined", "not defined"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// positioned: "name.ext:3: message", "name.ext:3:4: message",
// "name.ext(3,4): message".
func positioned(s string) bool {
	dot := -1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' || c == '\t':
			return false
		case c == '.':
			dot = i
		case (c == ':' || c == '(') && dot >= 0 && i-dot > 1 && i-dot <= 7 && letter(s[dot+1]):
			return message(s[i:])
		}
	}
	return false
}

// message: a position, then something else.
func message(s string) bool {
	rest := strings.TrimLeft(s, ":(0123456789,)")
	return len(s) > 1 && s[1] >= '0' && s[1] <= '9' && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\t")) && strings.TrimSpace(rest) != ""
}
