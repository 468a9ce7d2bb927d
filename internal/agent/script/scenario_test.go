package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTimesOfQuestions: a scenario is refused where a question could not be put.
func TestTimesOfQuestions(t *testing.T) {
	t.Parallel()
	for ask, why := range map[string]string{
		`{text: a, default: b, within: 30m}`:   "",
		`{text: a}`:                            "",
		`{text: a, within: 30m}`:               "no default",
		`{text: a, default: b, within: -1s}`:   "over before it is asked",
		`{text: a, default: b, within: 9000h}`: "longer than a year",
		`{text: a, default: b, within: soon}`:  "soon",
	} {
		path := filepath.Join(t.TempDir(), "it.yaml")
		if err := os.WriteFile(path, []byte("attempts: [[{say: x}], [{ask: "+ask+"}]]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if (err == nil) != (why == "") || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", ask, err, why)
		}
	}
}
