package engine

import (
	"fmt"
	"slices"
	"strings"
)

// ResolvePrefix is the rule of Store.Resolve, for stores that have all ids at hand: those of
// the runs that are in lists, and those of archived ones.
func ResolvePrefix(prefix string, listed, archived []string) (string, error) {
	if slices.Contains(listed, prefix) || slices.Contains(archived, prefix) {
		return prefix, nil
	}
	for _, ids := range [][]string{listed, archived} {
		fits := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return prefix == "" || !strings.HasPrefix(id, prefix) })
		switch slices.Sort(fits); len(fits) {
		case 0:
		case 1:
			return fits[0], nil
		default:
			if len(fits) > 10 {
				fits = append(fits[:9], fits[len(fits)-1])
			}
			return "", &AmbiguousError{Prefix: prefix, IDs: fits}
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNotFound, prefix)
}
