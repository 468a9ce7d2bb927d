package mcp

import "context"

// Tools are ralph's functions for agents. A method returns when ctx ends, and
// its answer says so.
type Tools interface {
	Init(ctx context.Context, r InitRequest) Answer
	Check(ctx context.Context, r CheckRequest) Answer
	Status(ctx context.Context, r StatusRequest) Answer
	List(ctx context.Context, r ListRequest) Answer
	Abort(ctx context.Context, r AbortRequest) Answer
	Ask(ctx context.Context, r AskRequest) Answer
	Dispute(ctx context.Context, r DisputeRequest) Answer
	LearnSearch(ctx context.Context, r LearnSearchRequest) Answer
	LearnAdd(ctx context.Context, r LearnAddRequest) Answer
	PlanTools

	// Loops returns the newest most loops, to list as resources.
	Loops(ctx context.Context, most int) ([]Loop, error)
	// State returns a loop as a ralph.loop/v1 object, Evidence the evidence of its
	// gates as text. An unknown id is engine.ErrNotFound.
	State(ctx context.Context, id string) ([]byte, error)
	Evidence(ctx context.Context, id string) (string, error)
}

// Loop names a loop in a list of resources.
type Loop struct{ ID, Status, Task string }

// InitRequest begins a loop that the agent drives.
type InitRequest struct {
	Gates     []string `json:"gates,omitempty" jsonschema:"the gates that prove the work, each NAME or NAME=FLOOR: tests, coverage=80, lint, types, mutation=80, visual, or names from ralph.yaml; without any, all that ralph.yaml has"`
	Threshold *float64 `json:"threshold,omitempty" jsonschema:"the floor of the one gate that has a number"`
	Task      string   `json:"task,omitempty" jsonschema:"what is to be done, in a sentence"`
	Kind      string   `json:"kind,omitempty" jsonschema:"what the work of task is: feature, fix, docs, refactor or chore; the last three need no proof"`
	MayChange []string `json:"may_change,omitempty" jsonschema:"globs of files that judge (tests, their configuration, scripts of gates) which the work may change; a person is asked about them"`
	Refuse    []string `json:"refuse,omitempty" jsonschema:"codes for which work fails that passed all else, instead of a question to a person: suspect, obeyed, judges, …, or all"`
	Max       *int     `json:"max,omitempty" jsonschema:"how many checks the loop may use (default 5)"`
	Confirm   *int     `json:"confirm,omitempty" jsonschema:"how many times in a row the gates must pass, in one check (default 1)"`
	Timeout   string   `json:"timeout,omitempty" jsonschema:"how long the loop may take, such as 10m"`
	Stall     string   `json:"stall,omitempty" jsonschema:"how long it may go without progress, such as 5m; 0 switches this off"`
	OnStuck   string   `json:"on_stuck,omitempty" jsonschema:"after the same failure three times in a row: continue (default) or stop"`
	LoopID    string   `json:"loop_id,omitempty" jsonschema:"an id of your own; without it one is made"`
	Agent     string   `json:"agent,omitempty" jsonschema:"what kind of agent you are, for the record"`
	Parent    string   `json:"parent,omitempty" jsonschema:"the id of the orchestration this loop is a part of"`
	After     []string `json:"after,omitempty" jsonschema:"ids of loops that must pass first"`
	Scope     []string `json:"scope,omitempty" jsonschema:"path globs that this loop works on"`
	Session   string   `json:"session,omitempty" jsonschema:"the id of your session, if you were told it, so that a stop hook holds it to the gates"`
	Dir       string   `json:"dir,omitempty" jsonschema:"the tree you work in, as an absolute path, if it is not the one this session was started in"`
}

// CheckRequest runs the gate once.
type CheckRequest struct {
	LoopID string `json:"loop_id,omitempty" jsonschema:"the loop; without it, the one this session began"`
	Parent string `json:"parent,omitempty" jsonschema:"instead of a loop: check a whole orchestration once all its loops have ended"`
	Dir    string `json:"dir,omitempty" jsonschema:"the tree you work in, as an absolute path, if it is not the one this session was started in"`
}

// StatusRequest asks how one loop stands.
type StatusRequest struct {
	LoopID string `json:"loop_id,omitempty" jsonschema:"the loop; without it, the one this session began"`
}

// ListRequest asks for the loops that agents drive.
type ListRequest struct {
	Parent string `json:"parent,omitempty" jsonschema:"only the loops of this orchestration"`
}

// AbortRequest ends a loop, or all of an orchestration.
type AbortRequest struct {
	LoopID string `json:"loop_id,omitempty" jsonschema:"the loop; without it, the one this session began"`
	Parent string `json:"parent,omitempty" jsonschema:"instead of a loop: end every loop of this orchestration"`
	Reason string `json:"reason" jsonschema:"why, in one sentence, for the record"`
}

// AskRequest puts a question to a person.
type AskRequest struct {
	Question string   `json:"question" jsonschema:"the question, so that it can be answered without this conversation"`
	Options  []string `json:"options,omitempty" jsonschema:"answers to choose from"`
	Default  string   `json:"default,omitempty" jsonschema:"the answer you propose"`
	LoopID   string   `json:"loop_id,omitempty" jsonschema:"the loop it is about; without it, the one this session began"`
	Within   string   `json:"within,omitempty" jsonschema:"how long a person has to answer, such as 30m; then the default, which it needs, is taken and you continue with that (without it: as long as it takes)"`
	Wait     int      `json:"wait_seconds,omitempty" jsonschema:"how long to wait for the answer, in seconds (default 0: not at all)"`
}

// DisputeRequest reports that a gate contradicts the task, or that no test can prove it.
type DisputeRequest struct {
	Gate   string   `json:"gate" jsonschema:"the exact name of the gate; the word for which work is refused; or proof"`
	Why    string   `json:"why" jsonschema:"what the gate demands and what the task says, so that a person can judge it without this conversation"`
	Files  []string `json:"files,omitempty" jsonschema:"the files that are wrong, from the repository's root"`
	LoopID string   `json:"loop_id,omitempty" jsonschema:"the loop; without it, the one this session began"`
}

// LearnSearchRequest looks for notes that earlier loops left.
type LearnSearchRequest struct {
	Query string `json:"query" jsonschema:"words that a note must hold: of an error message, a file's path, or the hash of a failure"`
}

// LearnAddRequest writes a note down for the loops to come.
type LearnAddRequest struct {
	Text        string   `json:"text" jsonschema:"what the next one should know, in a few sentences, with the reason"`
	Fingerprint string   `json:"fingerprint,omitempty" jsonschema:"the hash of the failure it is about (8 hexadecimal digits), so that it is shown where that happens"`
	Paths       []string `json:"paths,omitempty" jsonschema:"globs of the files it is about, so that it is shown to work on them"`
}
