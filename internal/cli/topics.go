package cli

import (
	"github.com/spf13/cobra"
)

// topics are the pages of `ralph help TOPIC`.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "What each exit code means", Long: exitCodes},
		{Use: "environment", Short: "Variables that ralph reads, and those it sets", Long: environment},
	}
}

const exitCodes = `Exit codes of every command:

    0  done: every hard gate passed / the command did its work
    1  ended without passing: failed or aborted
    2  not finished yet: running, paused, gates not satisfied
    3  waits for a person, or crashed: ralph status shows what to do
    4  stopped by a budget or a provider's limit
   64  usage: a wrong flag, an unknown id, a question without a terminal to ask it on
   69  a tool or an agent is missing, or what a team shares cannot be reached
   70  internal error, a full disk, or a damaged record
   75  busy: another process runs the loop, or too many loops run
   78  bad configuration, or no gate that could prove anything
  124  wait --timeout elapsed
  130  interrupted by ctrl-c; the state is saved
  143  terminated; the state is saved`

const environment = `Variables that ralph reads:

  RALPH_…          any key of ralph.yaml: RALPH_LIMITS_MAX_ITERATIONS=3
  RALPH_NO_INPUT   set: never ask
  NO_COLOR         set: no colours
  XDG_STATE_HOME   where worktrees live (default ~/.local/state)
  XDG_CONFIG_HOME  where ralph/config.yaml is (default ~/.config)

Variables that agents get:

  RALPH_LOOP_ID  RALPH_TASK_ID  RALPH_ITERATION
  RALPH_PROMPT_FILE   the prompt, which is also on standard input
  RALPH_STATE_FILE    the loop's state as Markdown, to read
  RALPH_SLOT          number of the loop among those that run on this machine
  RALPH_PORT_BASE     the first of 20 ports of its own
  RALPH_DB_SUFFIX     ending for names of databases and containers`
