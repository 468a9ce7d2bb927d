// Package door is the way through which an agent in a sandbox asks ralph: a
// unix socket of the process that supervises it.
//
//	agent's ralph                          supervising ralph
//	    │ ralph.call/v1, one line of JSON      │
//	    ├─────────────────────────────────────▶│ same user? the key of this run? one of the few commands?
//	    │                                      │ carries it out, in the agent's tree
//	    │ ralph.answer/v1, one line of JSON    │
//	    │◀─────────────────────────────────────┤
//	    │ (stream: bytes, both ways)           │
//
// The socket is 0600 in a folder 0700, the caller's user is asked of the kernel,
// a call is bounded, and one that is torn or comes too slowly is not carried
// out. What may be asked is not decided here: see package cli.
package door

// A call and its answer are one line each.
const (
	callSchema   = "ralph.call/v1"
	answerSchema = "ralph.answer/v1"
)

// Call is a command line to be carried out.
type Call struct {
	Schema string `json:"schema"`
	// Key is the one that the caller's run was told.
	Key  string   `json:"key"`
	Argv []string `json:"argv"`
	// Dir is where it was typed; Env the few variables that matter.
	Dir   string   `json:"dir"`
	Env   []string `json:"env,omitempty"`
	Stdin []byte   `json:"stdin,omitempty"`
	// Stream asks for bytes both ways after the answer, until one side ends.
	Stream bool `json:"stream,omitempty"`
}

// Answer is how it went.
type Answer struct {
	Schema string `json:"schema"`
	Exit   int    `json:"exit"`
	Stdout []byte `json:"stdout,omitempty"`
	Stderr []byte `json:"stderr,omitempty"`
	// Stream: bytes follow.
	Stream bool `json:"stream,omitempty"`
}

// MaxCall bounds a call in bytes: a hook's input is at most 8 MiB, which JSON
// makes longer by a third.
const MaxCall = 16 << 20
