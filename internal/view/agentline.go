package view

import (
	"encoding/json"
	"slices"
	"strings"
)

// AgentLine returns the readable text of a line of an agent's protocol, nothing
// for lines that only programs need. Any other line is shown as it is.
func AgentLine(line string) []string {
	var e struct {
		Kind, Text, Tool, Path string
	}
	if json.Unmarshal([]byte(line), &e) != nil || e.Kind == "" {
		return []string{line}
	}
	what := strings.Join(slices.DeleteFunc([]string{e.Tool, e.Path, e.Text}, func(s string) bool { return s == "" }), " ")
	switch e.Kind {
	case "usage", "session":
		return nil
	case "text", "raw":
		return strings.Split(e.Text, "\n")
	case "tool_use":
		return []string{"> " + what}
	case "file_change":
		return []string{"wrote " + what}
	}
	return []string{strings.ReplaceAll(e.Kind, "_", " ") + ": " + what}
}
