// Command conform plays the real programs of the four agents that ralph drives
// against a scripted model, and checks what `ralph run` records of it.
//
//	make conformance                                    # everything, into docs/agents.md
//	go run ./internal/testing/conformance -quick                    # a success and a failure of each agent
//	go run ./internal/testing/conformance -agents codex -cases hang
//
// What happens, in this order:
//
//  1. The programs come from their npm packages, at the versions that the
//     drivers were made for (programs.go), into a cache. Where npm cannot
//     deliver, the command says so and ends with exit code 69.
//  2. ralph is built.
//  3. The command starts itself again in a network namespace that has nothing
//     but a loopback interface (namespace_linux.go), as the user who called it:
//     root and others are held in different ways. Where no namespace can be had,
//     it refuses: an agent that reached its real provider would prove something
//     else, and might cost money.
//  4. Each case (trials*.go) is a fresh home, a fresh repository and a model
//     server of its own (package modelserver) with a scene. ralph runs; what it
//     recorded is read with `ralph show --json` and compared.
//  5. After each case nothing may run any more that carries the case's mark in
//     its environment (orphans_linux.go).
//
// The result is a table of agents and cases. A cell is what ralph recorded, or
// what of it was not as it should be.
package main
