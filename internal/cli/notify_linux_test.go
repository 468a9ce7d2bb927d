package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ralph/internal/testing/tier"
)

// published is a message as an ntfy server gets it.
type published struct {
	Topic, Title, Message string
	Actions               []struct{ Label, URL, Method string }
}

// ntfyServer passes on what is published. It refuses the first message, as a server does
// that is down.
func ntfyServer(t *testing.T) (address string, messages <-chan published) {
	t.Helper()
	got := make(chan published, 20)
	refused := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m published
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || !refused {
			refused = true
			http.Error(w, "down", http.StatusInternalServerError)
			return
		}
		got <- m
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://"), got
}

// TestNotificationIsAnswered: a question of a plan in the background reaches a phone with
// the command that answers it; the button's POST answers, once; the plan continues, and
// its end is told.
func TestNotificationIsAnswered(t *testing.T) {
	t.Parallel()
	p := somewhere(t, map[string]string{
		"repo/check.sh":     "grep -qx hello greeting.txt\n",
		"repo/greeting.txt": "hi\n",
		"repo/plan.json":    `{"tasks": [{"id": "T1", "title": "say hello"}]}`,
		"asks.yaml":         `attempts: [[{ask: {text: "Which greeting?", options: [hi, hello]}}, {write: {path: greeting.txt, text: "hello\n"}}]]`,
	})
	t.Cleanup(p.left)
	answers := p.serves()
	phone, messages := ntfyServer(t)
	settings := fmt.Sprintf("version: 1\nnotify:\n  debounce: off\n  answer_url: %s\n  targets:\n    phone: {to: 'ntfy://%s/topic?scheme=http'}\n", answers, phone)
	p.settings(settings)
	p.ralph(1, "notify", "test", "phone", "-q") // the first one is refused
	p.ralph(0, "run", "plan.json", "--until", "sh check.sh", "--agent", "script:../asks.yaml", "--yes", "-d", "-q")

	asked := <-messages
	if !strings.Contains(asked.Title, "t1 — question") || !regexp.MustCompile(`Which greeting\?"\n\[hi, hello\]\nralph answer \S+ "OPTION"$`).MatchString(asked.Message) {
		t.Errorf("%+v", asked)
	}
	if len(asked.Actions) != 2 || asked.Actions[1].Label != "hello" || asked.Actions[1].Method != http.MethodPost {
		t.Fatalf("%+v", asked.Actions)
	}
	hi, hello := asked.Actions[0].URL, asked.Actions[1].URL
	for _, c := range []struct {
		method, url string
		code        int
		words       string
	}{
		{http.MethodGet, hi, http.StatusMethodNotAllowed, "POST"},
		{http.MethodPost, hi + "x", http.StatusNotFound, ""},
		{http.MethodPost, answers + "/", http.StatusNotFound, ""},
		{http.MethodPost, hello, http.StatusOK, `answered "hello"`},
		{http.MethodPost, hello, http.StatusConflict, `answered already: "hello" by the button of notification target phone`},
		{http.MethodPost, hi, http.StatusConflict, "answered already"},
	} {
		if code, words := request(t, c.method, c.url); code != c.code || !strings.Contains(words, c.words) {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.url, code, words, c.code, c.words)
		}
	}
	ended := <-messages
	if !strings.Contains(ended.Title, "passed: 1 of 1 done") || !strings.Contains(ended.Message, "ralph accept plan") {
		t.Errorf("%+v", ended)
	}
	p.ralph(0, "wait", "plan")
	// The process of the plan records what it sent after the plan has ended.
	tier.Eventually(t, "the record of two messages", func() bool { return strings.Contains(p.ralph(0, "notify", "status"), "2 sent") })
}

// serves starts ralph serve with buttons, and returns where it takes answers.
func (p place) serves(env ...string) (answers string) {
	p.t.Helper()
	serve := p.command("ralph", "serve", "--interval", "100ms", "--listen", "127.0.0.1:0")
	serve.Env = append(serve.Env, env...)
	words, err := serve.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = serve.Process.Signal(syscall.SIGTERM)
		_ = serve.Wait()
	})
	return listening(p.t, words)
}

// settings writes the person's own.
func (p place) settings(yaml string) {
	p.t.Helper()
	own := filepath.Join(filepath.Dir(p.dir), ".person", "config", "ralph")
	if err := os.MkdirAll(own, 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "config.yaml"), []byte(yaml), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// listening returns the address at which serve takes answers.
func listening(t *testing.T, words io.Reader) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		in := bufio.NewScanner(words)
		for in.Scan() {
			if _, rest, ok := strings.Cut(in.Text(), "answers are taken at "); ok {
				at, _, _ := strings.Cut(rest, "/answer/")
				found <- at
			}
		}
	}()
	select {
	case at := <-found:
		return at
	case <-time.After(patience):
		t.Fatal("serve does not listen")
	}
	return ""
}

func request(t *testing.T, method, url string) (code int, words string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}
