package mcp

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answerSchema is the name of the object that every tool answers with.
const answerSchema = "ralph.answer/v1"

// Answer is the result of a tool.
type Answer struct {
	// ExitCode is the one the command line would have ended with. Codes of 64
	// and more mean that the tool could not do its work.
	ExitCode int
	// Text is the output of the command line.
	Text string
	// Hint is the next step after a failure (see ExitCode).
	Hint string
	// LoopID and Status are those of the loop concerned, if it is one.
	LoopID, Status string
}

// broken is where the exit codes begin that mean "could not".
const broken = 64

// internal is the exit code of a mistake in ralph.
const internal = 70

type answerObject struct {
	Schema   string `json:"schema"`
	ExitCode int    `json:"exit_code"`
	LoopID   string `json:"loop_id,omitempty"`
	Status   string `json:"status,omitempty"`
	Text     string `json:"text"`
	Hint     string `json:"hint,omitempty"`
}

func (a Answer) words() string {
	if a.Hint == "" {
		return a.Text
	}
	return a.Text + "\n  try: " + a.Hint
}

// most bounds the text of an answer: a list of a thousand loops would fill a
// model's context.
const most = 24 << 10

// short omits whole lines at the end.
func short(text string) string {
	if len(text) <= most {
		return text
	}
	end := strings.LastIndexByte(text[:most], '\n')
	if end < 0 {
		return strings.ToValidUTF8(text[:most], "") + "\n… and more"
	}
	return fmt.Sprintf("%s\n… and %d more lines", text[:end], strings.Count(text[end:], "\n"))
}

// result returns the answer in the protocol's form.
func (a Answer) result() *mcp.CallToolResult {
	a.Text = short(a.Text)
	return &mcp.CallToolResult{
		IsError: a.ExitCode >= broken,
		Content: []mcp.Content{&mcp.TextContent{Text: a.words()}},
		StructuredContent: answerObject{
			Schema: answerSchema, ExitCode: a.ExitCode, LoopID: a.LoopID, Status: a.Status, Text: a.Text, Hint: a.Hint,
		},
	}
}

// mistake returns the answer of a tool that panicked.
func mistake(p any) Answer {
	return Answer{
		ExitCode: internal, Text: fmt.Sprintf("ralph: internal error: %v", p),
		Hint: "this is a mistake in ralph; nothing that was recorded is lost",
	}
}
