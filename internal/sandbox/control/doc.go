// Package control is the socket through which an agent in a sandbox asks the
// ralph that supervises it to execute commands.
//
//	agent's ralph                          supervising ralph
//	    │ ralph.call/v1, one line of JSON      │
//	    ├─────────────────────────────────────▶│ same user? the key of this run? an allowed command?
//	    │                                      │ executes it in the agent's tree
//	    │ ralph.answer/v1, one line of JSON    │
//	    │◀─────────────────────────────────────┤
//	    │ (stream: bytes, both ways)           │
//
// The socket has mode 0600 in a folder 0700, the kernel names the client's user,
// a request is bounded, and an incomplete or slow one is not executed. The
// handler decides which commands are allowed: see package cli.
package control

// A request and its response are one line each.
const (
	requestSchema  = "ralph.call/v1"
	responseSchema = "ralph.answer/v1"
)

// Request is a command line to be executed.
type Request struct {
	Schema string `json:"schema"`
	// Key is the one that the client's run was given.
	Key  string   `json:"key"`
	Argv []string `json:"argv"`
	// Dir is where the command was entered; Env the few variables that matter.
	Dir   string   `json:"dir"`
	Env   []string `json:"env,omitempty"`
	Stdin []byte   `json:"stdin,omitempty"`
	// Stream asks for bytes both ways after the response, until one side ends.
	Stream bool `json:"stream,omitempty"`
}

// Response is its result.
type Response struct {
	Schema string `json:"schema"`
	Exit   int    `json:"exit"`
	Stdout []byte `json:"stdout,omitempty"`
	Stderr []byte `json:"stderr,omitempty"`
	// Stream: bytes follow.
	Stream bool `json:"stream,omitempty"`
}

// maxRequest bounds a request in bytes: a hook's input is at most 8 MiB, which
// JSON makes longer by a third.
const maxRequest = 16 << 20
