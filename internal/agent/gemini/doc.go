// Package gemini drives Gemini CLI without a terminal, reading its stream of
// JSON events.
//
// What the driver hides, seen with version 0.61.0:
//
//   - It starts itself a second time, and then the first ignores INT and TERM:
//     GEMINI_CLI_NO_RELAUNCH.
//   - In a folder without trust it ends at once: --skip-trust. The tree is
//     ralph's own.
//   - It exits with 0 after a signal, and with status success when its own loop
//     detection stopped it.
//   - Its exit code for an API error is the HTTP status, of which the system
//     keeps the lowest eight bits (401 is 145, 429 is 173).
//   - It reports retries, and their reason, only on its standard error.
//   - A spent daily quota is told apart by the class of the error there. When it
//     is restored is not told.
//   - The shell tool needs a policy to run without a question, and is else not
//     offered. A policy file would replace the person's own, so the older
//     --allowed-tools is used.
//   - Its shell tool hides the person's git configuration: its own commits fail
//     where the repository has no identity of its own. ralph commits.
//   - A resumed session does not continue counting.
//   - It leaves reports of errors in TMPDIR, and what its tools have started
//     runs on after INT and TERM.
package gemini
