package opencode

import (
	"strings"

	"ralph/internal/agent/stream"
)

// Aside takes a line of its log.
func (*dialect) Aside(t *stream.Tally, line []byte) { Log(t, line) }

// Log takes a line of its log: only the log has the version, and the
// retries after a provider did not respond.
func Log(t *stream.Tally, line []byte) {
	text := string(line[:min(len(line), 8<<10)])
	if !strings.HasPrefix(text, "timestamp=") {
		return
	}
	var message, version, failure string
	for key, value := range fields(text) {
		switch {
		case key == "message" && message == "":
			message = value
		case key == "version" && version == "":
			version = value
		case key == "error.error" && failure == "":
			failure = value
		}
	}
	switch message {
	case "created":
		t.Began("", "", version)
	case "stream error":
		t.Trouble(stream.Down(failure))
	}
}

// fields yields key=value pairs; a value with spaces is quoted.
func fields(line string) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for line != "" {
			key, rest, ok := strings.Cut(line, "=")
			if !ok {
				return
			}
			value := ""
			value, line = field(rest)
			if !yield(strings.TrimSpace(key), value) {
				return
			}
		}
	}
}

// field splits the first value off.
func field(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, " ")
		return value, rest
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[1:i], strings.TrimPrefix(s[i+1:], " ")
		}
	}
	return s[1:], ""
}
