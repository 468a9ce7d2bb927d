// Command conformance runs the real programs of the six agents that ralph
// drives, and adapters of the Agent Client Protocol, against a scripted model, and
// checks what `ralph run` records.
//
//	make conformance                                    # everything, into docs/agents.md
//	go run ./internal/testing/conformance -quick                    # a success and a failure of each agent
//	go run ./internal/testing/conformance -agents codex -cases hang
//
// Its steps:
//
//  1. The programs come from their npm packages, at the versions that the
//     drivers were made for (programs.go), into a cache. Without npm the command
//     exits with code 69.
//  2. ralph is built.
//  3. The command starts itself again in a network namespace that has only a
//     loopback interface (namespace_linux.go), as the user who called it: root
//     and other users get different sandboxes. Without a namespace it refuses: an
//     agent that reached its real provider would prove something else, and might
//     cost money.
//  4. Each case (trials*.go) has a fresh home, a fresh repository and a model
//     server of its own (package modelserver) with a scene. ralph runs; its
//     record is read with `ralph show --json` and compared.
//  5. After each case no process may run that carries the case's mark in its
//     environment (orphans_linux.go).
//
// The result is a table of agents and cases. A cell shows ralph's record, or
// how it differs from the expected one.
package main
