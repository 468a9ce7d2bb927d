package loop

import (
	"fmt"

	"ralph/internal/lazyregexp"
)

// mostLabels bounds the labels of a worker, and of what a loop runs on.
const mostLabels = 16

var labelPattern = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,31}$`)

// CheckLabels returns why these cannot be the labels of workers, or nil.
func CheckLabels(all []string) error {
	if len(all) > mostLabels {
		return fmt.Errorf("%d labels; at most %d", len(all), mostLabels)
	}
	for _, l := range all {
		if !labelPattern.MatchString(l) {
			return fmt.Errorf("label %q: use 1 to 32 of a-z 0-9 . _ - beginning with a letter or digit", l)
		}
	}
	return nil
}
