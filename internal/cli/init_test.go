package cli_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

var initialized = regexp.MustCompile(`(?m)^init (ralph/\S+) .*clock, (\d+) bytes, (\d+) allocs$`)

// TestInitializationIsData: tables and patterns that packages of the project need later
// are not made whenever the program starts.
func TestInitializationIsData(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("the race detector allocates too")
	}
	cmd := exec.CommandContext(t.Context(), "ralph", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := initialized.FindAllStringSubmatch(string(out), -1)
	if len(all) < 10 {
		t.Fatalf("%d packages of the project:\n%s", len(all), out)
	}
	const mostOne, mostAll = 8 << 10, 32 << 10
	sum := 0
	for _, m := range all {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		if sum += n; n > mostOne {
			t.Errorf("%s allocates %d bytes when the program starts, in %s pieces: at most %d", m[1], n, m[3], mostOne)
		}
	}
	if sum > mostAll {
		t.Errorf("packages of the project allocate %d bytes when the program starts: at most %d", sum, mostAll)
	}
}
