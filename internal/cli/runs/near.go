package runs

import (
	"cmp"
	"slices"

	"ralph/internal/cli/command"
	"ralph/internal/cli/launch"
	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

// suffix tells runs of the same name apart.
var suffix = lazyregexp.New(`-[0-9a-f]{4,8}$`)

// nearID is command.Near for ids of runs. They are compared with and without their random
// suffix, and with the name as typed and as the id of a task with this name.
func nearID(typed string, ids []string, otherwise string) string {
	known, whole := slices.Clone(ids), map[string]string{}
	for _, id := range ids {
		short := suffix.ReplaceAllString(id, "")
		if _, taken := whole[short]; short != id && !taken && !slices.Contains(ids, short) {
			known, whole[short] = append(known, short), id
		}
	}
	near := cmp.Or(text.Nearest(typed, known), text.Nearest(launch.IDWords(typed), known))
	if id, ok := whole[near]; ok {
		near = id
	}
	return command.Suggest(near, typed, ids, otherwise)
}
