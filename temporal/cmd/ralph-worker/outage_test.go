//go:build server

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// proxy forwards connections to a server until it is cut: what is sent then arrives when
// it is joined again, as on a network that loses everything for a while.
type proxy struct {
	*testing.T
	listener net.Listener
	to       string

	mu     sync.Mutex
	joined *sync.Cond
	cut    bool
}

func newProxy(t *testing.T, to string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{T: t, listener: l, to: to}
	p.joined = sync.NewCond(&p.mu)
	t.Cleanup(func() { _ = l.Close(); p.set(false) })
	go p.serve()
	return p
}

func (p *proxy) host() string { return p.listener.Addr().String() }

// set cuts the network, or joins it again.
func (p *proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	p.joined.Broadcast()
}

func (p *proxy) serve() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		go func() {
			p.pass()
			there, err := net.Dial("tcp", p.to)
			if err != nil {
				_ = c.Close()
				return
			}
			go p.forward(there, c)
			p.forward(c, there)
		}()
	}
}

// pass returns while the network is not cut.
func (p *proxy) pass() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.cut {
		p.joined.Wait()
	}
}

func (p *proxy) forward(to, from net.Conn) {
	defer to.Close()   //nolint:errcheck // the other side is gone
	defer from.Close() //nolint:errcheck // the other side is gone
	data := make([]byte, 32<<10)
	for {
		n, err := from.Read(data)
		p.pass()
		if n > 0 {
			if _, err := to.Write(data[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// through is the scene as seen by a worker behind a proxy.
func (s scene) through(p *proxy) scene {
	s.engine = s.address(p.host(), embedded.GetDefaultNamespace())
	return s
}

// TestCutOffWorkerKeepsItsLoop: the network between a worker and the server is cut until
// the heartbeats count as missing. Its agent ends meanwhile; the result is recorded when
// the network is back, once, and the agent is not started again.
func TestCutOffWorkerKeepsItsLoop(t *testing.T) {
	s := newScene(t)
	link := newProxy(t, embedded.GetFrontendHostPort())
	s.through(link).worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	link.set(true)
	s.until("its heartbeats are missing", func() bool { return strings.Contains(s.ralph("a", 0, "show", "make"), "no worker yet") })
	s.write("go", "")
	s.until("the agent has ended", s.committedHere)
	link.set(false)
	s.ralph("a", 0, "wait", "make")
	s.once("make", map[string]int{"attempt_began": 1, "agent_ended": 1, "committed": 1, "interrupted": 0, "moved": 1})
}

// committedHere reports whether a worker has committed the result in its mirror, which
// comes after the end of the agent.
func (s scene) committedHere() bool {
	found, _ := filepath.Glob(s.at("state-*/ralph/worktrees/*/agent-*/result"))
	return len(found) > 0
}

// once compares how often events were recorded.
func (s scene) once(id string, want map[string]int) {
	s.Helper()
	events := s.ralph("a", 0, "logs", id)
	for name, n := range want {
		if got := strings.Count(events, "  "+name); got != n {
			s.Errorf("%s: %d times, not %d\n%s\n%s", name, got, n, events, s.logs())
		}
	}
}

// TestCutOffWorkerIsFenced: the network between a worker and the server is cut, and another
// worker takes its loop to the end; joined again, the first one records and pushes nothing
// more.
func TestCutOffWorkerIsFenced(t *testing.T) {
	s := newScene(t)
	link := newProxy(t, embedded.GetFrontendHostPort())
	s.through(link).worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	link.set(true)
	s.worker("two")
	s.until("the other worker has it", func() bool { return strings.Contains(s.log("two"), "taken") })
	s.write("go", "")
	s.ralph("a", 0, "wait", "make")
	tip, events := s.tip(), s.ralph("a", 0, "logs", "make")
	link.set(false)
	s.until("the first worker notices", func() bool { return strings.Contains(s.log("one"), "another owner took it over") })
	if now := s.tip(); now != tip {
		t.Errorf("the first worker pushed %s over %s", now, tip)
	}
	if now := s.ralph("a", 0, "logs", "make"); now != events {
		t.Errorf("the first worker recorded more:\n%s\nbefore:\n%s", now, events)
	}
	s.once("make", map[string]int{"agent_ended": 1, "committed": 1, "interrupted": 1, "moved": 2})
}

// on is the scene on a server of its own, once that serves.
func (s scene) on(server *devServer) scene {
	s.Helper()
	s.engine = s.address(server.host(), "default")
	s.until("the server serves", func() bool { return s.program("user-a", "status").Run() == nil })
	return s
}

// TestServerKilled: the server is killed while a loop and a plan work, and started again
// with its database: they come to the same end, and every agent ran once.
func TestServerKilled(t *testing.T) {
	s := planned(t)
	server := newDevServer(t)
	s = s.on(server)
	s.write("agent.sh", `cat > "$1/prompt-$$"
echo >> "$1/runs"
while ! test -e "$1/go"; do sleep 0.05; done
case $(head -c 4000 "$1/prompt-$$") in *second*) echo 2 > second ;; *"make it"*) echo done > result ;; *) echo 1 > first ;; esac
`)
	s.worker("one", "--slots", "2")
	id := s.startPlan()
	s.start()
	s.until("both agents work", func() bool { return s.runs() == 2 })
	follows := s.program("user-b", "logs", id, "-f")
	var out synced
	follows.Dir, follows.Stdout, follows.Stderr = s.at("b"), &out, &out
	if err := follows.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = follows.Process.Kill() })
	s.until("a command follows the plan", func() bool { return strings.Contains(out.String(), "begins") })
	server.kill()
	s.write("go", "")
	s.until("the agent has ended", s.committedHere)
	server.start()
	s.on(server)
	s.ralph("a", 0, "wait", "make")
	s.ralph("a", 0, "wait", id)
	if err := follows.Wait(); err != nil || strings.Count(out.String(), "landed as") != 2 {
		t.Errorf("the command that followed the plan: %v\n%s", err, out.String())
	}
	s.once("make", map[string]int{"attempt_began": 1, "agent_ended": 1, "committed": 1, "interrupted": 0, "moved": 1})
	s.once(id, map[string]int{"landed": 2, "begins": 2})
	if s.runs() != 3 {
		t.Errorf("agents were started %d times\n%s", s.runs(), s.logs())
	}
	s.ralph("a", 0, "accept", "make", "--yes")
	s.ralph("a", 0, "accept", id, "--yes")
	for _, name := range []string{"first", "second", "result"} {
		if _, err := os.Stat(s.at("a/" + name)); err != nil {
			t.Errorf("accepted without %s: %v", name, err)
		}
	}
}

// synced is the output of a process that is read while it runs.
type synced struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *synced) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(data)
}

func (s *synced) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// runs is how often an agent was started.
func (s scene) runs() int {
	data, _ := os.ReadFile(s.at("runs"))
	return strings.Count(string(data), "\n")
}

// TestPlanOfThreeWorkers: three workers with one slot each do the six tasks of a plan,
// each task once.
func TestPlanOfThreeWorkers(t *testing.T) {
	s := newScene(t)
	var plan strings.Builder
	plan.WriteString("# Six files\n")
	for n := 1; n <= 6; n++ {
		fmt.Fprintf(&plan, "\n### Task %d: file-%d\n\n**Dependencies:** None\n\n- [ ] Write it.\n", n, n)
	}
	s.write("a/plan.md", plan.String())
	s.git(s.at("a"), "add", "-A")
	s.git(s.at("a"), "commit", "-q", "-m", "plan")
	s.git(s.at("a"), "push", "-q", "origin", "main")
	s.write("agent.sh", `cat > "$1/prompt-$$"
echo >> "$1/runs"
while ! test -e "$1/go"; do sleep 0.05; done
echo > $(grep -o 'file-[1-6]' "$1/prompt-$$" | head -n 1)
`)
	for _, name := range []string{"one", "two", "three"} {
		s.worker(name)
	}
	out := s.ralph("a", 0, "run", "plan.md", "--until", "ls file-*", "--proof", "none", "--parallel", "6",
		"--agent-cmd", "sh "+s.at("agent.sh")+" "+s.dir, "--sandbox", "off", "--yes", "-d")
	id := planID.FindString(out)
	s.until("three agents work", func() bool { return s.runs() == 3 })
	s.write("go", "")
	s.ralph("a", 0, "wait", id)
	s.once(id, map[string]int{"landed": 6})
	if s.runs() != 6 {
		t.Errorf("agents were started %d times\n%s", s.runs(), s.logs())
	}
	s.ralph("a", 0, "accept", id, "--yes")
	if all, _ := filepath.Glob(s.at("a/file-*")); len(all) != 6 {
		t.Errorf("accepted: %v", all)
	}
}

// TestWorkerEndsWithoutServer: a worker that is to end while the server is away does not
// wait for it longer than half a minute.
func TestWorkerEndsWithoutServer(t *testing.T) {
	s := newScene(t)
	server := newDevServer(t)
	s = s.on(server)
	one := s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	server.kill()
	s.signal(one, syscall.SIGTERM)
	if err := one.Wait(); err != nil || !strings.Contains(s.log("one"), "were not handed over") {
		t.Errorf("%v\n%s", err, s.logs())
	}
}
