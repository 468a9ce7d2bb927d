package launch

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/loop"
)

// refuseNone takes back what the configuration, or an old task, refuses.
const refuseNone = "none"

// RefuseFlag is the flag of every command that starts a loop.
func RefuseFlag(fl *pflag.FlagSet, codes *[]string) {
	fl.StringSliceVar(codes, "refuse", nil, "fail work that passed all else and is one of `CODES`, instead of asking about it when it is accepted: "+strings.Join(loop.CodeNames(loop.RefusalCodes()), ", ")+", or all")
}

// CheckRefuse checks the values of --refuse. An agent that begins a loop of its own takes
// nothing back.
func CheckRefuse(given []string, byAgent bool) error {
	if slices.Equal(given, []string{refuseNone}) && !byAgent {
		return nil
	}
	if err := loop.CheckRefuse(config.Refusals(given).Codes()); err != nil {
		return exit.UsageError("--refuse "+string(loop.ConcernSuspect), "--%v", err)
	}
	return nil
}

// refused is what work is refused for by the configuration and the flags.
func refused(p *project.Project, f Flags) []loop.ConcernCode {
	if slices.Equal(f.Refuse, []string{refuseNone}) {
		return nil
	}
	asked := slices.Concat(p.Settings.Settings.Refuse, f.Refuse).Codes()
	return slices.DeleteFunc(loop.RefusalCodes(), func(c loop.ConcernCode) bool { return !slices.Contains(asked, c) })
}
