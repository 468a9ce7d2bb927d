package cli_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asker is a place whose agent asks once, and then writes what it was told. The
// words are the two runs that ask in place: of a loop, and of a plan.
func asker(t *testing.T) (place, map[string][]string) {
	t.Helper()
	p := somewhere(t, map[string]string{
		"asker.sh": `prompt=$(cat)
case "$prompt" in
*'Questions that were answered'*) printf '%s' "$prompt" | grep -xE 'left|right|git log|make' | tail -1 > $RALPH_TASK_ID.txt;;
*) ralph ask "$(printf 'Which \033[31mway?')" --option left --option right $WITHIN;;
esac
`,
		"repo/one.json": `{"tasks": [{"id": "ask", "title": "ask", "dependencies": [], "status": "ready"}]}`,
		"repo/two.json": `{"tasks": [{"id": "b", "title": "b", "dependencies": [], "status": "ready"}, {"id": "c", "title": "c", "dependencies": [], "status": "ready"}]}`,
	})
	t.Cleanup(p.left)
	with := []string{"--until", "ls *.txt", "--agent-cmd", "sh " + filepath.Join(filepath.Dir(p.dir), "asker.sh")}
	return p, map[string][]string{
		"one": append([]string{"ralph", "run", "one.json", "--yes"}, with...),
		"two": append([]string{"ralph", "run", "two.json", "--yes", "--parallel", "2"}, with...),
		"it":  append([]string{"ralph", "run", "ask", "--loop-id", "it"}, with...),
	}
}

// TestPromptLeaves: at a question one signal is enough, and what is typed then is
// the shell's.
func TestPromptLeaves(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"it", "one"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, runs := asker(t)
			s := sit(t, p, 80, 40, runs[name]...).looks()
			s.sees("Which way?", "\n> ")
			if strings.Contains(s.drawn(), "\x1b[31mway") {
				t.Error("what an agent wrote reached the terminal as it was")
			}
			s.types("lef", ctrlC)
			s.leaves(130)
			p.open(name)

			s = sit(t, p, 80, 40, "ralph", "resume", name).looks()
			s.sees("Which way?", "\n> ").types("left")
			if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.leaves(143)
			p.open(name)

			s = sit(t, p, 80, 40, "ralph", "resume", name).looks()
			s.sees("Which way?", "\n> ").types("\x04")
			s.leaves(3)
			p.open(name)

			s = sit(t, p, 80, 40, "ralph", "resume", name).looks()
			s.sees("Which way?", "\n> ").types(enter)
			s.leaves(3)
			p.open(name)
		})
	}
}

// TestPromptHasItsTime: the prompt of a question with a deadline shows it, ends by
// itself when it comes, and the run goes on with the default. Whoever leaves it open
// has it waited for.
func TestPromptHasItsTime(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"it", "one"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, runs := asker(t)
			s := sit(t, p, 80, 40, append([]string{"env", "WITHIN=--default left --within 8s"}, runs[name]...)...).looks()
			s.sees("Which way?", "  left is taken at ", "\n[left] > ").types("rig")
			s.sees("the time for an answer is over; the run continues with the default", "took the default \"left\", unanswered")
			s.leaves(0)
		})
	}
	t.Run("left open", func(t *testing.T) {
		t.Parallel()
		p, runs := asker(t)
		s := sit(t, p, 80, 40, append([]string{"env", "WITHIN=--default left --within 8s"}, runs["it"]...)...).looks()
		s.sees("Which way?", "\n[left] > ").types("\x04")
		s.sees("took the default \"left\", unanswered")
		s.leaves(0)
	})
}

// TestPromptFollows: what others say meanwhile ends the prompt.
func TestPromptFollows(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"it", "one"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, runs := asker(t)
			s := sit(t, p, 80, 40, runs[name]...).looks()
			s.sees("Which way?", "\n> ").types("rig")
			p.ralph(0, "pause", name)
			s.leaves(2)
			p.open(name)

			s = sit(t, p, 80, 40, "ralph", "resume", name).looks()
			s.sees("Which way?", "\n> ").types("rig")
			p.ralph(0, "answer", name, "left")
			s.sees("answered from elsewhere")
			s.leaves(0)

			next, words := "two", runs["two"]
			if name == "it" {
				next, words = "again", append(runs["it"], "--fresh", "--loop-id", "again")
			}
			s = sit(t, p, 80, 40, words...).looks()
			s.sees("Which way?", "\n> ")
			p.ralph(0, "abort", next, "--reason", "no more")
			s.leaves(1)
		})
	}
}

// TestPromptAsksAgain: what is no answer is asked about, what was typed before the
// question is none, and each answer is for the question that was shown.
func TestPromptAsksAgain(t *testing.T) {
	t.Parallel()
	p, runs := asker(t)
	s := sit(t, p, 80, 40, runs["it"]...).looks()
	s.types("left", enter) // before anything was asked
	s.sees("Which way?", "\n> ").types("git log", enter)
	s.sees(`"git log" is none of the options`, "Send it all the same?").types("make", enter)
	s.sees("yes or no?").types(enter).types("1", enter)
	s.leaves(0)
	if got, err := p.command("git", "show", "ralph/it:ask.txt").CombinedOutput(); string(got) != "left\n" {
		t.Errorf("it was told %q: %v", got, err)
	}

	s = sit(t, p, 80, 40, runs["two"]...).looks()
	s.sees("? b: Which way?", "\n> ").types("left", enter)
	s.sees("? c: Which way?").types("right", enter)
	s.leaves(0)
}

// TestPromptToBegin: the next line for the shell is no yes, nor is the end of input.
func TestPromptToBegin(t *testing.T) {
	t.Parallel()
	p, _ := asker(t)
	s := sit(t, p, 80, 40, "ralph", "run", "one.json", "--until", "ls *.txt", "--agent-cmd", "true").looks()
	s.sees("Begin? [Y/n]").types("git status", enter).sees("yes or no?").types("n", enter)
	s.leaves(64)
	s = sit(t, p, 80, 40, "ralph", "run", "one.json", "--until", "ls *.txt", "--agent-cmd", "true").looks()
	s.sees("Begin? [Y/n]").types("\x04")
	s.leaves(64)
	p.ralph(64, "show", "one")
}

// TestPromptOfMender: the agent that mends a conflict asks too, and it is that
// question which is put.
func TestPromptOfMender(t *testing.T) {
	t.Parallel()
	p := somewhere(t, map[string]string{
		"mender.sh": `prompt=$(cat)
if grep -sq '^<<<<<<<' shared.txt; then
  case "$prompt" in
  *'Questions that were answered'*) grep -vE '^(<<<<<<<|=======|>>>>>>>)' shared.txt > kept && mv kept shared.txt;;
  *) ralph ask 'Which side?';;
  esac
  exit
fi
sleep 0.2; echo $RALPH_TASK_ID >> shared.txt; echo done > $RALPH_TASK_ID.txt
`,
		"repo/both.json": `{"tasks": [{"id": "b", "title": "b", "dependencies": [], "status": "ready"}, {"id": "c", "title": "c", "dependencies": [], "status": "ready"}]}`,
	})
	t.Cleanup(p.left)
	agent := "sh " + filepath.Join(filepath.Dir(p.dir), "mender.sh")
	s := sit(t, p, 80, 40, "ralph", "run", "both.json", "--yes", "--parallel", "2", "--until", "ls *.txt", "--agent-cmd", agent).looks()
	s.sees(": Which side?", "\n> ").types("both", enter)
	s.leaves(0)
}

// open fails the test unless a question is open, and nobody has answered it.
func (p place) open(name string) {
	p.t.Helper()
	if out := p.ralph(0, "show", name, "--json"); !strings.Contains(out, `"text": "Which `) || strings.Contains(out, `"answered": true`) {
		p.t.Fatalf("the question is not open any more:\n%s", out)
	}
}

// TestPromptOfDemo: a person at a terminal answers the demonstration's question.
func TestPromptOfDemo(t *testing.T) {
	t.Parallel()
	p := somewhere(t, map[string]string{"repo/README": "hi\n"})
	s := sit(t, p, 80, 60, "ralph", "demo", "--plan", "--speed", "fast", "--with", "sh").looks()
	s.sees("You answer it", "? task-3: Which language", "[English] > ").types("German", enter)
	s.sees("2 of 3 tasks landed, as announced")
	s.leaves(0)
}
