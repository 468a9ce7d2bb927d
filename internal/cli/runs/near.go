package runs

import (
	"slices"

	"ralph/internal/cli/command"
	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

// suffix tells runs of the same name apart.
var suffix = lazyregexp.New(`-[0-9a-f]{4,8}$`)

// nearID is command.Near for ids of runs: they are compared with and without the suffix,
// which nobody types.
func nearID(typed string, ids []string, otherwise string) string {
	known, whole := slices.Clone(ids), map[string]string{}
	for _, id := range ids {
		short := suffix.ReplaceAllString(id, "")
		if _, taken := whole[short]; short != id && !taken && !slices.Contains(ids, short) {
			known, whole[short] = append(known, short), id
		}
	}
	near := text.Nearest(typed, known)
	if id, ok := whole[near]; ok {
		near = id
	}
	return command.Suggest(near, typed, ids, otherwise)
}
