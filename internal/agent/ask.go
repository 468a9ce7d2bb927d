package agent

import (
	"context"
	"time"

	"ralph/internal/proc"
)

// askTime is how long a program may take to tell its version while it is at work:
// some take seconds of computing time for it, on a machine that has other work.
const askTime = time.Minute

// AskWaits is how long after it was begun a version is waited for by who has
// nothing else to wait for.
const AskWaits = 5 * time.Second

// AskVersion is the version that a program tells when it is started with
// --version; empty when it does not. It is asked where the agent will work: what
// stands there under its name may have been written by an agent.
func AskVersion(ctx context.Context, program []string, dir string, env []string, inside *proc.Sandbox) string {
	path, err := proc.Find(env, program[0])
	if err != nil {
		return ""
	}
	argv := append(append([]string{path}, program[1:]...), "--version")
	out, err := proc.Probe{Argv: argv, Dir: dir, Env: env, Sandbox: inside, Limit: askTime}.Ask(ctx)
	if err != nil || out.Code != 0 {
		return ""
	}
	return VersionIn(string(out.Stdout))
}
