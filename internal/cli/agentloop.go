package cli

import (
	"github.com/spf13/cobra"
)

// agentLoopCommand takes seed 000's own spelling, so that prompts written for
// it go on working: the verb is a flag.
func (a *app) agentLoopCommand() *cobra.Command {
	var f loopFlags
	var begin, check, status, abort, list, cleanup bool
	var reason string
	cmd := &cobra.Command{
		Use:    "agent-loop",
		Hidden: true,
		Short:  "ralph loop, with the verb as a flag",
		Example: `  ralph agent-loop --init --gate=coverage --threshold=80 --max=5 --loop-id=abc123
  ralph agent-loop --check --loop-id=abc123
  ralph agent-loop --abort --loop-id=abc123 --reason=manual`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			switch {
			case begin:
				return a.loopInit(ctx, f)
			case check && f.parent != "":
				return a.verifyParent(ctx, f.parent)
			case check:
				return a.loopCheck(ctx, f.id)
			case status:
				return a.loopStatus(ctx, f.id)
			case abort:
				return a.loopAbort(ctx, f.id, f.parent, reason)
			case list:
				return a.loopList(ctx, f.parent, false)
			}
			return a.loopCleanup(ctx, false)
		},
	}
	fl := cmd.Flags()
	f.bind(cmd)
	verbs := []string{"init", "check", "status", "abort", "list", "cleanup"}
	for i, verb := range []*bool{&begin, &check, &status, &abort, &list, &cleanup} {
		fl.BoolVar(verb, verbs[i], false, "as ralph loop "+verbs[i])
	}
	fl.StringVar(&reason, "reason", "", "why, for the record")
	cmd.MarkFlagsMutuallyExclusive(verbs...)
	cmd.MarkFlagsOneRequired(verbs...)
	return cmd
}
