// Package enginetest is the contract that every engine keeps, as a suite that
// runs against any of them:
//
//	func TestContract(t *testing.T) {
//		enginetest.Run(t, func(t *testing.T) enginetest.Fixture { … })
//	}
//
// It knows an engine only as engine.Loops and engine.Plans (Run and RunPlans), and
// the place where it keeps its runs as engine.Store (RunStore). Memory is such a
// store for tests that need no database. What the suite holds an engine to:
//
//   - A refusal (a bad loop, a taken name, too many loops) leaves nothing.
//   - A watcher sees every transition once, in order, and later finds the
//     same ones recorded, numbered without a gap.
//   - A pause happens between two steps, or, when it is not to wait, ends the
//     agent; either way the attempt keeps its number.
//   - An abort closes the loop, and keeps its work on a branch.
//   - What people say reaches the next prompt. A question waits for its answer.
//   - A loop has one owner. One who was taken over is told so.
//   - An ended loop refuses commands.
//
// The suite uses scripted agents, whose scenarios it writes itself.
package enginetest
