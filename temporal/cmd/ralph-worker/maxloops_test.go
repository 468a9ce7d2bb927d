//go:build server

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestMaxLoops: three workers with six slots run two loops at once and not a third, also while
// one of the workers is killed and its loop continues elsewhere.
func TestMaxLoops(t *testing.T) {
	s := newScene(t)
	s.write("agent.sh", `cat > /dev/null
echo $$ > "$1/run-$$"
n=0
for f in "$1"/run-*; do kill -0 "${f##*-}" 2> /dev/null && n=$((n + 1)); done
echo $n >> "$1/counts"
while ! test -e "$1/go"; do sleep 0.05; done
rm "$1/run-$$"
echo done > result
`)
	const loops, most = 6, 2
	for n := range loops {
		s.ralph("a", 0, "run", fmt.Sprint("write it, ", n), "--loop-id", fmt.Sprint("loop-", n), "--until", "test -e result",
			"--proof", "none", "--agent-cmd", "sh "+s.at("agent.sh")+" "+s.dir, "--sandbox", "off", "--yes", "-d")
	}
	one := s.worker("one", "--slots", "2", "--max-loops", strconv.Itoa(most))
	counts := func() []string {
		data, _ := os.ReadFile(s.at("counts"))
		return strings.Fields(string(data))
	}
	s.until("two agents work", func() bool { return len(counts()) == most })
	for _, name := range []string{"two", "three"} {
		s.worker(name, "--slots", "2", "--max-loops", strconv.Itoa(most))
	}
	s.until("the workers are listed", func() bool { return len(s.workers()) == 3 })
	s.signal(one, syscall.SIGKILL)
	s.until("both agents work again", func() bool { return len(counts()) == 2*most })
	s.write("go", "")
	for n := range loops {
		s.ralph("a", 0, "wait", fmt.Sprint("loop-", n))
	}
	for _, count := range counts() {
		if n, err := strconv.Atoi(count); err != nil || n > most {
			t.Errorf("%s agents at once", count)
		}
	}
	if got := len(counts()); got != loops+most {
		t.Errorf("%d runs of agents\n%s", got, s.logs())
	}
}
