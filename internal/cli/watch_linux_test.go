package cli_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// night is a repository with two loops: one asks, one works in the background
// until it is let go.
func night(t *testing.T) place {
	p := somewhere(t, map[string]string{
		"repo/check.sh":     "grep -qx hello greeting.txt && exit 0\necho \"FAIL: the greeting is $(cat greeting.txt)\"\nexit 1\n",
		"repo/greeting.txt": "hi\n",
		"asks.yaml":         `attempts: [[{ask: {text: "Which greeting?", options: [hi, hello]}}, {write: {path: greeting.txt, text: "hello\n"}}]]`,
		"works.yaml": `attempts:
  - - print: "\e[2J\e[31mlooking at the greeting\e[0m 漢字"
    - sh: while ! [ -e $HOME/../../go1 ]; do sleep 0.02; done
    - print: that was all
    - write: {path: greeting.txt, text: "hullo\n"}
  - - print: once more
    - sh: while ! [ -e $HOME/../../go2 ]; do sleep 0.02; done
`,
	})
	p.ralph(3, "run", "a question", "--until", "sh check.sh", "--agent", "script:../asks.yaml", "--loop-id", "asks", "--no-input", "-q")
	p.ralph(0, "run", "say hello", "--until", "sh check.sh", "--agent", "script:../works.yaml", "--loop-id", "works", "-d", "-q")
	t.Cleanup(func() {
		p.file("go1")
		p.file("go2")
		_ = p.command("ralph", "abort", "works").Run()
		p.left()
	})
	return p
}

// TestWatch drives the real program at a real terminal, as a person would.
func TestWatch(t *testing.T) {
	t.Parallel()
	p := night(t)
	s := sit(t, p, 80, 24, "ralph", "watch").looks()
	s.sees("1 needs you", "1 running", ">? needs you  asks", "Which greeting? [hi, hello]", "● running    works", "agent at work", "q quit")

	// One loop in full, its question, and the answer; then it goes on by itself.
	s.types(enter).sees("GATES", "FACTS", "next  ralph answer asks")
	s.types("A").sees("1  hi", "2  hello", "> ")
	s.types("2", enter).sees("✓ passed", "next  ralph accept asks")
	s.types(esc).sees("1 ready to accept", "READY TO ACCEPT (1)")

	// The log, and in it what the agent prints, as it comes.
	s.types("G", "l").sees("[events]", "attempt_began", "following")
	s.types("\t").sees("[agent]", "looking at the greeting 漢字", "attempt 1 of 1")

	// A pause comes after the step, and a process of its own goes on.
	s.types("p").sees("works pauses after this step")
	p.file("go1")
	s.sees("○ paused", "wrote greeting.txt").types("\t").sees("[output]", "looking at", "that was all")
	s.types("r").sees("works is resumed in a process of its own", "● running", "once more", "attempt 2 of 2")
	s.types("s", "be polite", enter).sees("noted for the next attempt")

	// The size of the terminal is followed.
	s.resize(40, 10)
	s.until("nothing is wider than 40 columns", func() bool {
		return strings.Contains(s.screen(), "[output]") && len(strings.Split(strings.TrimRight(s.screen(), "\n"), "\n")) <= 10
	})
	s.sees("once more", "q quit")
	s.resize(100, 30)
	s.sees("a abort  s steer  ? help  q quit")

	// An abort asks, and why. Other keys are no.
	s.types("a").sees("Abort works?").types("n").sees("nothing was aborted")
	s.types("a", "y").sees("Why abort works?").types("not like this", enter)
	s.sees("✗ aborted", "works is").types(esc).sees("not like this", "ralph retry works")
	s.types("?").sees("Leaving stops nothing").types("?")
	s.types("/", "question", enter).sees("filter: question", "READY TO ACCEPT (1)")
	s.types("q")
	s.leaves(0)
	s.left()

	for id, want := range map[string]string{"asks": `"status": "passed"`, "works": `"message": "not like this"`} {
		if got := p.ralph(0, "show", id, "--json"); !strings.Contains(got, want) {
			t.Errorf("%s: %s is not in\n%s", id, want, got)
		}
	}
	if got := p.ralph(0, "logs", "works"); !strings.Contains(got, "be polite") || strings.Count(got, "acquired") < 2 {
		t.Errorf("the log of works:\n%s", got)
	}
}

// TestWatchAll: the runs of all repositories in one list; a key enters the repository of
// its run, and esc comes back.
func TestWatchAll(t *testing.T) {
	t.Parallel()
	p := night(t)
	s := sit(t, p, 80, 24, "ralph", "watch", "--all").looks()
	s.sees("all repositories", "1 needs you", ">? needs you  repo/asks", "● running    repo/works", "answer asks")
	s.types("A").sees("1  hi", "2  hello", "> ").types("2", enter).sees("✓ passed", "repo accept asks")
	s.types(esc).sees("READY TO ACCEPT (1)", "repo/asks").types("q")
	s.leaves(0)
	s.left()
	if got := p.ralph(0, "show", "asks", "--json"); !strings.Contains(got, `"status": "passed"`) {
		t.Errorf("the answer did not arrive: %s", got)
	}
}

// TestWatchOfOthers: loops that nobody runs here, because their process was
// killed, or because an agent drives them.
func TestWatchOfOthers(t *testing.T) {
	t.Parallel()
	p := night(t)
	p.ralph(0, "abort", "asks", "-q")
	if err := os.WriteFile(p.dir+"/ralph.yaml", []byte("version: 1\ngates: {done: {run: sh check.sh}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.ralph(0, "loop", "init", "--gate", "done", "--loop-id", "driven", "-q")
	s := sit(t, p, 80, 24, "ralph", "watch", "driven").looks()
	s.sees("driven by its agent").types("r").sees("driven is driven by its agent")
	p.ralph(0, "loop", "abort", "--loop-id", "driven", "-q")
	s.sees("✗ aborted", "aborted on request").types("q").leaves(0)

	// Its time is over, and nobody else looks.
	p.ralph(0, "loop", "init", "--gate", "done", "--loop-id", "brief", "--timeout", "1s", "-q")
	s = sit(t, p, 80, 24, "ralph", "watch", "brief").looks()
	s.sees("✗ aborted", "timeout").types(esc)
	if got := p.ralph(0, "logs", "brief"); !strings.Contains(got, "ticked") {
		t.Errorf("its end is shown and not recorded:\n%s", got)
	}

	// A process that was killed is noticed at once, and what it ran goes on.
	pid := regexp.MustCompile(`"owner": "[^"]*?(\d+)`).FindStringSubmatch(p.ralph(0, "show", "works", "--json"))
	if pid == nil {
		t.Fatal("nobody runs works")
	}
	n, _ := strconv.Atoi(pid[1])
	s.sees("1 running")
	if err := syscall.Kill(n, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.sees("2 need you", "✗ crashed    works").types("g").sees("ralph resume works")
	s.types("r").sees("works is resumed in a process of its own", "● running    works", "1 needs you")
	s.types("q")
	s.leaves(0)
}

// TestWatchIsLeft in every way there is: the terminal is as before, the loops
// go on, and the exit code tells.
func TestWatchIsLeft(t *testing.T) {
	t.Parallel()
	p := night(t)
	for name, c := range map[string]struct {
		do   func(*seat)
		code int
	}{
		"q":                 {func(s *seat) { s.types("q") }, 0},
		"ctrl-c":            {func(s *seat) { s.types(ctrlC) }, 0},
		"ctrl-c in a text":  {func(s *seat) { s.types("s", "x", ctrlC) }, 0},
		"an interrupt":      {func(s *seat) { s.signal(syscall.SIGINT) }, 130},
		"kill":              {func(s *seat) { s.signal(syscall.SIGTERM) }, 143},
		"a lost connection": {func(s *seat) { s.signal(syscall.SIGHUP) }, 143},
		"twice":             {func(s *seat) { s.signal(syscall.SIGTERM); s.signal(syscall.SIGTERM) }, 143},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := p
			p.t = t
			s := sit(t, p, 80, 24, "ralph", "watch", "works").looks()
			s.sees("say hello", "● running", "GATES")
			c.do(s)
			s.leaves(c.code)
			s.left()
			if got := p.ralph(0, "show", "works", "--json"); !strings.Contains(got, `"live": true`) {
				t.Errorf("the loop went with the screen:\n%s", got)
			}
		})
	}
}

func (s *seat) signal(sig syscall.Signal) {
	s.t.Helper()
	// A second one may come too late; the exit code tells which was heard.
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Fatal(err)
	}
}

// TestWatchWithoutATerminalAnyMore: the window is closed.
func TestWatchWithoutATerminalAnyMore(t *testing.T) {
	t.Parallel()
	s := sit(t, night(t), 80, 24, "ralph", "watch").looks()
	s.sees("1 needs you")
	_ = s.tty.Close()
	_ = s.near.Close()
	select {
	case <-s.ended:
	case <-time.After(patience):
		t.Fatal("it goes on without a terminal")
	}
	if got := s.cmd.ProcessState.ExitCode(); got != 143 {
		t.Errorf("exit code %d, want 143 (%s)", got, s.cmd.ProcessState)
	}
}

// TestWatchOnATerminalThatTakesNothing: its output was stopped, or a connection
// hangs. The program can be ended all the same.
func TestWatchOnATerminalThatTakesNothing(t *testing.T) {
	t.Parallel()
	s := sit(t, night(t), 80, 24, "ralph", "watch").looks()
	s.sees("1 needs you")
	if err := unix.IoctlSetInt(int(s.tty.Fd()), unix.TCXONC, unix.TCOOFF); err != nil {
		t.Fatal(err)
	}
	s.types("?", "?", "j", "k")
	s.signal(syscall.SIGTERM)
	s.leaves(143)
}

// TestWatchInTheBackground: ctrl-z gives the terminal back, fg brings the
// screen.
func TestWatchInTheBackground(t *testing.T) {
	t.Parallel()
	p := night(t)
	s := sit(t, p, 80, 24, "sh", "-i").looks()
	s.types("PS1='here> '\n").sees("here> ")
	s.types("ralph watch; echo left with $?\n").sees("1 needs you", "● running    works")
	s.types(ctrlZ)
	s.until("the shell is back", func() bool {
		text := s.screen()
		return strings.Contains(text, "topped") && strings.HasSuffix(strings.TrimRight(text, " \n"), "here>")
	})
	s.left()
	s.types("echo $((40+2))\n").sees("42")
	s.types("fg\n").sees("1 needs you", "● running    works")
	s.types("j", enter).sees("say hello", "GATES")
	s.types("q").sees("works keeps running; ralph watch shows it again", "left with", "here> ")
	s.types("exit\n")
	s.leaves(0)

	// Without a shell there is nowhere to go.
	s = sit(t, p, 80, 24, "ralph", "watch").looks()
	s.sees("1 needs you").types(ctrlZ).sees("there is no shell to go back to").types("q")
	s.leaves(0)
}

// TestWatchNeedsATerminal, and says what to use instead.
func TestWatchNeedsATerminal(t *testing.T) {
	t.Parallel()
	p := somewhere(t, map[string]string{"repo/file": "x\n"})
	for _, args := range [][]string{{}, {"works"}, {"--json"}, {"--no-color"}} {
		cmd := p.command(append([]string{"ralph", "watch"}, args...)...)
		words, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 64 || !strings.Contains(string(words), "ralph status") || !strings.Contains(string(words), "ralph logs ID -f") {
			t.Errorf("watch %v: exit code %d\n%s", args, code, words)
		}
	}
	if _, err := os.Stat(p.dir + "/.git/ralph"); err == nil {
		t.Error("it made a memory")
	}
	// At a terminal it says so before it draws anything.
	for args, want := range map[string]string{"watch nobody": "nobody", "watch --json": "ralph status", "watch a b": "takes at most 1 argument, not 2"} {
		s := sit(t, p, 80, 24, append([]string{"ralph"}, strings.Fields(args)...)...).looks()
		s.leaves(64)
		s.sees(want)
		if strings.Contains(s.drawn(), "\x1b[?1049h") {
			t.Errorf("%s drew a screen", args)
		}
	}
	// An empty repository is no error: it says what to do, and makes nothing.
	s := sit(t, p, 80, 24, "ralph", "watch").looks()
	s.sees("No loops here yet", "ralph run").types("q")
	s.leaves(0)
	if _, err := os.Stat(p.dir + "/.git/ralph"); err == nil {
		t.Error("looking made a memory")
	}
}

// TestWatchPlainly: no colours where none are wanted, ASCII where the locale
// has nothing else.
func TestWatchPlainly(t *testing.T) {
	t.Parallel()
	p := night(t)
	for name, c := range map[string]struct {
		env, args     []string
		colour, ascii bool
	}{
		"colour":     {nil, nil, true, false},
		"NO_COLOR":   {[]string{"NO_COLOR=1"}, nil, false, false},
		"--no-color": {nil, []string{"--no-color"}, false, false},
		"ASCII":      {[]string{"LANG=C", "LC_ALL="}, nil, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := p
			p.t, p.vars = t, append(append([]string(nil), p.vars...), c.env...)
			s := sit(t, p, 80, 24, "sh", "-c", fmt.Sprintf("%s ralph watch %s", strings.Join(c.env, " "), strings.Join(c.args, " "))).looks()
			s.sees("1 needs you", "works").types("j", "l", "\t").sees("looking at the greeting").types(esc).sees("enter open").types("q")
			s.leaves(0)
			text := s.drawn()
			if got := strings.Contains(text, "\x1b[33m") || strings.Contains(text, "\x1b[1;33m"); got != c.colour {
				t.Errorf("colour is %v, want %v: %q", got, c.colour, text)
			}
			if got := !strings.ContainsFunc(text, func(r rune) bool { return r > '~' }); got != c.ascii {
				t.Errorf("ASCII is %v, want %v: %q", got, c.ascii, text)
			}
		})
	}
}
