// Package api asks a model through its provider's HTTP interface: Anthropic's
// Messages, OpenAI's chat completions and compatible servers, Ollama's chat.
// There are no tools and no process: such an agent can review, vote and write
// texts, and its product is its answer. The answer stands in Job.Raw,
// unmodified and alone, and in the final event.
//
//	prompt ──▶ POST ──▶ stream of events ──▶ text, usage, stop reason ──▶ Outcome
//
// Answers are streamed, to distinguish silence from thinking and a cut
// connection from an end: only a stop reason that means "I am done", and words,
// are a positive end. An answer that was cut at its limit of tokens, refused or
// empty is a failed run.
//
// The key is read from the environment of the run, by the name that the
// configuration gives, and is sent to no other address: redirects are refused.
//
// The providers' own SDKs are not linked. Measured on linux/amd64 with go1.26
// against a program with net/http alone: anthropic-sdk-go v1.84 adds 5.8 MB and
// 2 to 3 ms to every start of the program, openai-go/v3 v3.96 18.7 MB and 5 ms.
// ralph starts itself again for each process that it supervises, and one
// request and three small streams are all that is needed of them.
package api
