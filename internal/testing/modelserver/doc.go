// Package modelserver is a model that says what a test wants, on the loopback
// interface, for agents that believe it is their provider's.
//
// It speaks the streaming protocols of four kinds of agent:
//
//	POST /v1/messages                               Anthropic Messages
//	POST /v1/responses                              OpenAI Responses
//	POST /v1/chat/completions                       chat completions, as most others offer them
//	POST /v1beta/models/MODEL:streamGenerateContent Gemini
//
// A Scene is one for all of them: a Talk is a list of Turns, and a turn is some
// words and what the model wants done. "Write this file" becomes a call of
// whichever tool the agent offers for it, so the agent works in its own words.
//
// The server remembers no conversation. Which turn is due is counted in what
// the agent sends along: the answers it has had already. So it does not matter
// how often a request is tried again, in which process, or that a session was
// resumed. Conversations are told apart by what was said before the first
// answer; the first that comes is Talks[0].
//
// A Fault is what comes in place of an answer: a status with the provider's own
// words for it, a stream that is cut, silence.
package modelserver
