package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

var (
	exclusive = lazyregexp.New(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)
	oneOf     = lazyregexp.New(`^at least one of the flags in the group \[(.*)\] is required$`)
	notOne    = lazyregexp.New(`^unknown command "(.*)" for ".*"$`)
	tooMany   = lazyregexp.New(`^(?:accepts|requires) (?:(at most|at least|between) )?(\d+)(?: and (\d+))? arg\(s\),? (?:only )?received (\d+)$`)
)

// inOurWords translates an error of the command line library.
func inOurWords(cmd *cobra.Command, err error) error {
	text, help := err.Error(), cmd.CommandPath()+" --help"
	flags := func(names string) []string { return strings.Fields("--" + strings.ReplaceAll(names, " ", " --")) }
	if m := exclusive.FindStringSubmatch(text); m != nil {
		return exit.UsageError("leave out one of them; "+help, "%s cannot be given together", strings.Join(flags(m[1]), " and "))
	}
	if m := notOne.FindStringSubmatch(text); m != nil {
		if cmd.HasSubCommands() {
			return command.NoSuch(cmd, m[1:])
		}
		return exit.UsageError(help, "%s takes no arguments, not %q", cmd.CommandPath(), m[1])
	}
	if m := oneOf.FindStringSubmatch(text); m != nil {
		return exit.UsageError(help, "give one of %s", strings.Join(flags(m[1]), ", "))
	}
	if m := tooMany.FindStringSubmatch(text); m != nil {
		wanted, noun := strings.TrimSpace(m[1]+" "+m[2]), "arguments"
		if m[3] != "" {
			wanted += " and " + m[3]
		} else if m[2] == "1" {
			noun = "argument"
		}
		return exit.UsageError(help, "%s takes %s %s, not %s", cmd.CommandPath(), wanted, noun, m[4])
	}
	return exit.UsageError(help, "%s", text)
}

// badFlag rejects an unknown flag and suggests a similar one.
func badFlag(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if unknown.GetSpecifiedShortnames() != "" { // one letter of what may be a task: "-n must be …"
			hint = "what begins with - and is no flag stands behind --: " + cmd.CommandPath() + " -- \"…\""
		}
		if near := nearFlags(unknown.GetSpecifiedName(), names); len(near) > 0 {
			hint = "did you mean --" + strings.Join(near, " or --") + "?"
		}
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if kind := numberOf(wrong.GetFlag().Value.Type()); kind != "" {
			return exit.UsageError(hint, "--%s %q: give %s", wrong.GetFlag().Name, wrong.GetValue(), kind)
		}
	}
	return exit.UsageError(hint, "%v", err)
}

// nearFlags returns the name of similar spelling, or else those of which the given one is the
// first word.
func nearFlags(given string, names []string) []string {
	if near := text.Nearest(given, names); near != "" {
		return []string{near}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, given+"-") })
}

// numberOf describes the numbers that a type of flag takes; "" is for other types.
func numberOf(kind string) string {
	switch strings.TrimRight(kind, "0123456789") {
	case "int", "uint", "count":
		return "a whole number"
	case "float":
		return "a number"
	}
	return ""
}
