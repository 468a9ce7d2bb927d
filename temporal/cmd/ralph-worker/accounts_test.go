//go:build server

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestAccountsOfATeam: an account that a person named is found spent by one worker, and the
// loop of another worker starts no agent of it. A person has it tried there; it serves again,
// and the loop of the first worker continues, long before the time that the provider named.
func TestAccountsOfATeam(t *testing.T) {
	s := newScene(t)
	until := time.Now().Add(3 * time.Hour).UTC().Truncate(time.Second)
	s.write("paid.sh", `cat > /dev/null
echo "$RALPH_LOOP_ID" >> "$1/runs"
if test -e "$1/serves"; then echo done > result; exit 0; fi
echo RALPH_PROVIDER limited until=`+until.Format(time.RFC3339)+` the weekly limit
exit 75
`)
	s.write("a/ralph.yaml", fmt.Sprintf("version: 1\nagents:\n  paid:\n    use: command\n    run: [sh, %s, %s]\n    account: work\n", s.at("paid.sh"), s.dir))
	run := func(id string) {
		s.ralph("a", 0, "run", "make it", "--agent", "paid", "--until", "test -e result", "--proof", "none", "--sandbox", "off", "--loop-id", id, "-d", "--trust")
	}
	runs := func() int {
		data, _ := os.ReadFile(s.at("runs"))
		return strings.Count(string(data), "\n")
	}
	waits := func(id string) func() bool {
		return func() bool {
			return strings.Contains(s.ralph("b", 0, "show", id, "--json"), `"reason": "limit"`)
		}
	}
	s.worker("one")
	run("first")
	s.until("the first loop waits", waits("first"))
	s.worker("two")
	run("second")
	s.until("the second loop waits", waits("second"))
	if !strings.Contains(s.log("two"), "second: taken") || runs() != 1 {
		t.Errorf("the agent ran %d times\n%s", runs(), s.logs())
	}
	s.until("both workers tell of the account", func() bool {
		all := s.workers()
		for _, w := range all {
			if len(w.Accounts) != 1 || w.Accounts[0].Label != "paid, account work" || !w.Accounts[0].Until.Equal(until) {
				return false
			}
		}
		return len(all) == 2
	})
	s.write("serves", "")
	s.ralph("b", 0, "resume", "second", "--now", "-d")
	s.ralph("a", 0, "wait", "second")
	s.ralph("a", 0, "wait", "first")
	if runs() != 3 {
		t.Errorf("the agent ran %d times\n%s", runs(), s.logs())
	}
	s.until("no worker tells of the account", func() bool {
		for _, w := range s.workers() {
			if len(w.Accounts) > 0 {
				return false
			}
		}
		return true
	})
}
