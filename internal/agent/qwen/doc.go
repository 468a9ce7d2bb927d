// Package qwen drives Qwen Code without a terminal, reading its stream of JSON
// events, whose schema is that of Claude Code.
//
// What the driver hides, seen with version 0.24.4:
//
//   - An error of the provider is a text in the last result, "[API Error: 429 …]":
//     its status is all that is not prose. The same text is said by the model.
//   - Why it tries again stands on its standard error only. After 429 it waits a
//     minute, then twice as long each time, ten times.
//   - Usage is that of the session, also over a resumed one, and cached input is
//     part of input. Cost is not reported.
//   - A message with text and a call of a tool becomes two, the first without
//     usage.
//   - It chooses no login by itself: without a setting or a flag it ends at once.
//   - Its edits are not held to the tree. Without a terminal the shell tool is
//     offered only where a flag allows it.
//   - It starts itself a second time (QWEN_CODE_NO_RELAUNCH), and its tools run in
//     sessions of their own.
//   - A run that is interrupted prints no result.
package qwen
