// Package acp drives any program that speaks the Agent Client Protocol, version
// 1, over its standard input and output.
//
//	initialize ─▶ session/new ─▶ session/prompt ─▶ (updates, permission) ─▶ stop reason
//
// Package stream supervises the program and distinguishes silence, circles and
// ends; the protocol's SDK does requests and answers. Updates are read here,
// line by line and in their order: the SDK's queue of them is bounded and ends
// the connection when it is full.
//
// Permission is given by a policy and reported as an event. By default reading,
// searching, editing inside of the tree and running commands are allowed; files
// elsewhere, fetching and tools of unknown kind are not. permissions: skip
// allows everything, read (reviewers) nothing that changes. Files and terminals
// are not offered: the program works with its own tools.
//
// A run that a limit cut off continues in its session, where the program can
// resume or load one (session/resume, session/load): updates about the run
// before are not counted again.
//
// Less is reported through this protocol than through a program's own stream:
// limits and their ends mostly not at all, tokens and cost by some programs.
// Missing values are unknown. Quirks that were seen:
//
//   - Gemini CLI 0.61 reports its tokens beside the standard, cached ones among the
//     input. It reports a call only by asking for it and when it is over. That a
//     quota is spent, or a model unknown, stands on its standard error only. A
//     session that was begun in the very minute in which it is loaded is empty to
//     it. It needs variables (package gemini).
//   - opencode 1.18 reports the tokens of its last step only, which are left out. A
//     call begins without what it is about. Its tools need no permission unless
//     its settings say so: they are laid over (package opencode), and who may only
//     read is put into a mode of ours. Of a provider's refusal nothing is told but
//     that it was one. When a conversation outgrows the model it makes room again
//     and again, without a word of it.
//   - codex-acp 2.6 puts its provider's errors into words and ends its turn well,
//     so that such a run is judged by its gates alone.
package acp
