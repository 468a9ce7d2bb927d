package runs

import (
	"errors"
	"strings"
	"time"
)

// Age reads a duration; days are allowed here, since old loops are not counted in
// hours.
func Age(text string) (time.Duration, error) {
	unit := time.Duration(1)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		text, unit = days+"h", 24
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, errors.New("give a length of time, such as 30d, 12h or 90m")
	}
	return unit * d, nil
}
