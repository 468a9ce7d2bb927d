package launch

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/loop"
)

// refuseNone takes back what the configuration, or an old task, refuses.
const refuseNone = "none"

// takesBack is what the flag can do where people type it.
const takesBack = "; none cancels what the configuration says"

// RefuseFlag is the flag of every command that starts a loop.
func RefuseFlag(fl *pflag.FlagSet, codes *[]string, more string) {
	fl.StringSliceVar(codes, "refuse", nil, "fail work that passed all else if ralph finds one of `CODES` in it, instead of asking when it is accepted: "+strings.Join(loop.CodeNames(loop.RefusalCodes()), ", ")+", or "+config.RefuseAll+more)
}

// CheckRefuse checks the values of --refuse. An agent that begins a loop of its own takes
// nothing back.
func CheckRefuse(given []string, byAgent bool) error {
	if slices.Equal(given, []string{refuseNone}) && !byAgent {
		return nil
	}
	if err := loop.CheckRefuse(config.Refusals(given).Codes()); err != nil {
		return exit.UsageError("--refuse "+string(loop.ConcernSuspect), "--%v, or %s", err, config.RefuseAll)
	}
	return nil
}

// refuseToo is what work is refused for, with the flags.
func refuseToo(before []loop.ConcernCode, given []string) []loop.ConcernCode {
	if slices.Equal(given, []string{refuseNone}) {
		return nil
	}
	asked := slices.Concat(before, config.Refusals(given).Codes())
	return slices.DeleteFunc(loop.RefusalCodes(), func(c loop.ConcernCode) bool { return !slices.Contains(asked, c) })
}

// RefusesToo returns why an unfinished loop does not continue with the flags: it refuses what it
// refused when it began.
func (f Flags) RefusesToo(s loop.State) error {
	if len(f.Refuse) == 0 || slices.Equal(refuseToo(s.Refuse, f.Refuse), s.Refuse) {
		return nil
	}
	return exit.UsageError("leave --refuse out, or add --fresh to begin anew", "loop %s continues as it began: --refuse changes nothing", s.ID)
}
