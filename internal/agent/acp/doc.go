// Package acp drives any program that speaks the Agent Client Protocol, version
// 1, over its standard input and output.
//
//	initialize ─▶ session/new ─▶ session/prompt ─▶ (updates, permission) ─▶ stop reason
//
// Package stream supervises the program and tells silence, circles and ends
// apart; the protocol's SDK does requests and answers. Updates are read here,
// line by line and in their order: the SDK's queue of them is bounded and ends
// the connection when it is full.
//
// Permission is given by a policy and told as an event. By default reading,
// searching, editing inside of the tree and running commands are allowed; files
// elsewhere, fetching and tools of unknown kind are not. permissions: skip allows
// everything, read (reviewers) nothing that changes. Files and terminals are not
// offered: the program works with its own tools.
//
// Less is told through this protocol than through a program's own stream: limits
// and their ends mostly not at all, tokens and cost by some. What is not told is
// unknown. Quirks that were seen: OpenCode 1.18 tells the tokens of its last step
// only, which are left out; Gemini CLI 0.61 tells its tokens beside the standard;
// codex-acp 2.6 puts its provider's errors into words and ends its turn well, so
// that such a run is judged by its gates alone.
package acp
