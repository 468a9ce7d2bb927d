package launch

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// forOnce are the flags that are meant for one call.
var forOnce = []string{
	"fresh", "abandon-moved", "resume", "force", "dry-run", "json-events", "json", "quiet", "verbose", "yes", "no-input", "no-color", "trust", "dir",
}

// Given returns the flags of a call as words to type again, without those that are meant
// for one call.
func Given(cmd *cobra.Command) []string {
	var words []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(forOnce, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if several, ok := f.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		for _, v := range values {
			words = append(words, given(f, v)...)
		}
	})
	return words
}

// given is one flag with a value, as it has to be typed: one whose value may be left out
// takes it only behind "=".
func given(f *pflag.Flag, value string) []string {
	name := "--" + f.Name
	switch {
	case value == f.NoOptDefVal:
		return []string{name}
	case f.NoOptDefVal != "":
		return []string{name + "=" + value}
	}
	return []string{name, value}
}
