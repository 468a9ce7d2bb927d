// Package modelserver is a scripted model on the loopback interface, for agents
// that take it for their provider. It speaks the streaming protocols of four
// kinds of agent:
//
//	POST /v1/messages                               Anthropic Messages
//	POST /v1/responses                              OpenAI Responses
//	POST /v1/chat/completions                       chat completions, as most others offer them
//	POST /v1beta/models/MODEL:streamGenerateContent Gemini
//
// One Scene serves all of them: a Talk is a list of Turns, and a turn is text
// and the calls that the model makes. "Write this file" becomes a call of the
// tool that the agent offers for it.
//
// The server keeps no conversation. It counts the answers in each request to
// find the next turn, so a request may be repeated, come from another process,
// or belong to a resumed session. Conversations are distinguished by the text
// before the first answer; the first conversation is Talks[0].
//
// A Fault replaces an answer: a status with the provider's error, a stream that
// is cut, or silence.
package modelserver
