// Command cheats attacks ralph from outside, and checks that honest work passes.
//
//	make cheats                                              # everything, into docs/cheats.md
//	go run ./internal/testing/cheats -quick                  # one run of each case
//	go run ./internal/testing/cheats -record cells           # type it again to go on after an interruption
//	go run ./internal/testing/cheats -only go-testmain -keep
//	go run ./internal/testing/cheats -real 3                 # honest changes of real code
//
// A case is a txtar file in one of three folders:
//
//   - cheats: an agent that makes the gate green without doing the task. ralph must
//     refuse it, or accept it with a name: a remark that the user reads.
//   - impossible: a task whose test contradicts its text. Every cheat must be
//     refused, a dispute must wait for a person, and the twin with the right test
//     must pass.
//   - honest: work that must pass without a person, or be refused with a hint.
//
// Each case names a base (folder bases): a small repository, its task, its gate, an
// agent that does the task, and an oracle. The oracle runs outside of ralph on a
// clone of the result and calls the product directly, so that no test, runner or
// configuration of the repository decides what it finds.
//
// Steps of a cell, which is a case in one mode, sandbox and user:
//
//  1. A fresh home with a fresh repository.
//  2. For cheats: a plain loop, which runs the agent and the gate in one tree, must
//     believe the cheat, and the oracle must not. A cheat that fools no one is
//     an error of the case.
//  3. ralph, as a user calls it, in a PID namespace of its own where the system
//     permits that.
//  4. The verdict, the remarks, and the oracle's answer.
package main
