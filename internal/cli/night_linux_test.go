package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"ralph/internal/notice"
	"ralph/internal/testing/tier"
)

// The plan of a night: each task has an agent that does something to the person.
const nightPlan = `{"schema": "ralph.plan/v1", "title": "Night", "gaps": ["nobody says good night"], "tasks": [
 {"id": "cli", "title": "ask at the command line", "agent": "asks"},
 {"id": "watch", "title": "ask the one who watches", "agent": "asks", "needs": [{"on": "cli"}]},
 {"id": "button", "title": "ask the phone", "agent": "asks", "needs": [{"on": "watch"}]},
 {"id": "wrong", "title": "dispute the gate", "agent": "disputes", "needs": [{"on": "button"}]},
 {"id": "hopeless", "title": "nothing works", "agent": "fails", "needs": [{"on": "wrong"}]},
 {"id": "limited", "title": "meet the limit", "agent": "limited"},
 {"id": "t7", "title": "seven"}, {"id": "t8", "title": "eight"}, {"id": "t9", "title": "nine"},
 {"id": "t10", "title": "ten"}, {"id": "t11", "title": "eleven"}]}
`

const nightSettings = `version: 1
agents:
  works: {use: command, run: 'cat >/dev/null; echo done > done-$RALPH_TASK_ID.txt'}
  fails: {use: command, run: 'cat >/dev/null; date +%N > tried.txt; if [ -e $HOME/../../mended ]; then echo done > done-$RALPH_TASK_ID.txt; fi'}
  disputes: {use: command, run: 'cat >/dev/null; if [ -e $HOME/../../disputed ]; then echo done > done-$RALPH_TASK_ID.txt; else touch $HOME/../../disputed; ralph dispute until --why "the file is not needed"; fi'}
  asks: {use: script, run: ../asks.yaml}
  limited: {use: script, run: ../limited.yaml}

`

// told collects the messages of a webhook target.
type told struct {
	sync.Mutex
	all []notice.Notice
}

func (m *told) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var n notice.Notice
	if json.NewDecoder(r.Body).Decode(&n) == nil {
		m.Lock()
		m.all = append(m.all, n)
		m.Unlock()
	}
}

// await returns the message with these words. Several events of one moment are one message.
func (m *told) await(t *testing.T, words ...string) (found notice.Notice) {
	t.Helper()
	tier.Eventually(t, fmt.Sprintf("a message with %q", words), func() bool {
		m.Lock()
		defer m.Unlock()
		i := slices.IndexFunc(m.all, func(n notice.Notice) bool {
			text := n.Title + "\n" + n.Text()
			return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		})
		if i >= 0 {
			found = m.all[i]
		}
		return i >= 0
	})
	return found
}

// TestAWholeNight: a plan of eleven tasks and a gap works in the background through three
// questions, a dispute, a task that fails, a usage limit and a killed process. Each is
// told; the questions are answered at the command line, in watch and by a button; in the
// morning one screen shows what there is, one command accepts it, and the repository is
// clean.
func TestAWholeNight(t *testing.T) {
	tier.SkipUnlessLong(t)
	t.Parallel()
	p := somewhere(t, map[string]string{
		"repo/README":     "Hello.\n",
		"repo/night.json": nightPlan,
		"repo/ralph.yaml": nightSettings,
		"asks.yaml":       `attempts: [[{ask: {text: "Shall I?", options: [yes, no]}}, {sh: "echo done > done-$RALPH_TASK_ID.txt"}]]`,
		"limited.yaml":    `attempts: [[{limit: {reset: 500ms, text: "session limit"}}, {sh: "echo done > done-$RALPH_TASK_ID.txt"}]]`,
	})
	t.Cleanup(p.left)
	answers := p.serves("RALPH_SERVE_BACK_OFF=100ms", "RALPH_LIMITS_BACK_OFF=50ms")
	phone := &told{}
	hook := httptest.NewServer(phone)
	t.Cleanup(hook.Close)
	var kinds []string
	for _, k := range notice.Kinds() {
		kinds = append(kinds, string(k))
	}
	settings := fmt.Sprintf("version: 1\nnotify:\n  debounce: off\n  answer_url: %s\n  targets:\n    phone: {to: 'webhook+%s', events: [%s]}\n", answers, hook.URL, strings.Join(kinds, ", "))
	p.settings(settings)

	p.ralph(0, "run", "night.json", "--agent", "works", "--until", "test -s done-$RALPH_TASK_ID.txt", "--on-failure", "ask", "--parallel", "2", "--yes", "-d", "-q")

	// The process of the plan is killed while one asks: serve takes the plan up.
	phone.await(t, "cli — question", "Shall I?")
	pid, err := strconv.Atoi(nightOwner(p))
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	phone.await(t, "its process died; restarted")

	p.ralph(0, "answer", "night", "yes", "--task", "cli")
	phone.await(t, "watch — question")
	s := sit(t, p, 100, 30, "ralph", "watch", "night").looks()
	s.sees("? watch Shall I?", "A answer").types("A").sees("1  yes", "2  no").types("1", enter).sees(`answered "yes"`)
	s.types("q").leaves(0)
	press(t, phone.await(t, "button — question"), "yes")
	phone.await(t, "wrong — disputes gate until")
	p.ralph(0, "answer", "night", "dismiss", "--task", "wrong")
	n := phone.await(t, "hopeless failed", "skip, retry, stop")
	p.file("mended")
	press(t, n, "retry")
	phone.await(t, "night", "passed: 12 of 12 done", "ralph accept night")

	// The morning: one screen, one command.
	if got := p.ralph(0, "status"); strings.Count(got, "ralph accept night") != 1 {
		t.Errorf("%s", got)
	}
	told := p.ralph(0, "report")
	for _, words := range []string{
		"12/12 tasks done", "usage limit of limited was reached", "the process had ended; another one continues",
		"Shall I?; the button of notification target phone answered: yes", "nina answered: dismiss", "**gap-1** landed", "**hopeless** failed after 5 attempts",
	} {
		if !strings.Contains(told, words) {
			t.Errorf("the report does not say %q:\n%s", words, told)
		}
	}
	p.ralph(0, "accept", "night", "--yes")
	if got := p.git("status", "--porcelain"); got != "" {
		t.Errorf("the repository is not clean:\n%s", got)
	}
	if got := p.git("branch", "--list", "--format=%(refname:short)", "main", "ralph/*"); got != "main\n" {
		t.Errorf("branches:\n%s", got)
	}
	if n := strings.Count(p.git("ls-files", "done-*"), "\n"); n != 12 {
		t.Errorf("%d of 12 results arrived", n)
	}
}

// git runs a command of git and returns what it prints.
func (p place) git(args ...string) string {
	p.t.Helper()
	out, err := p.command(append([]string{"git"}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// press answers with a button.
func press(t *testing.T, n notice.Notice, label string) {
	t.Helper()
	i := slices.IndexFunc(n.Answers, func(b notice.Button) bool { return b.Label == label })
	if i < 0 {
		t.Fatalf("no button %q in %+v", label, n)
	}
	if code, said := request(t, http.MethodPost, n.Answers[i].URL); code != http.StatusOK {
		t.Fatalf("%d %s", code, said)
	}
}

// nightOwner is the process that runs the plan.
func nightOwner(p place) string {
	p.t.Helper()
	out := p.ralph(0, "status", "--json")
	_, rest, _ := strings.Cut(out, "pid ")
	pid, _, _ := strings.Cut(rest, " ")
	return pid
}
