package notify_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/notice"
	"ralph/internal/notify"
)

var at = time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC)

func hostile() notice.Notice {
	return notice.Notice{
		Schema: notice.Schema, ID: "ntc_1", Event: notice.Question, Severity: notice.Action, Project: "shop", Run: "t11", Title: "shop · t11 — question",
		Body: "@everyone <!channel> [bank](http://evil.example) \"quoted\"\n.\nX: y", Command: `ralph answer t11 "…"`, Question: "q1", At: at,
		Answers: []notice.Button{{Label: "yes; clear", Method: "POST", URL: "https://x.example/answer/a"}, {Label: "no", Method: "POST", URL: "https://x.example/answer/b"}},
	}
}

func target(t *testing.T, o notify.Options) notify.Target {
	t.Helper()
	o.Now = func() time.Time { return at }
	got, err := notify.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// receiver keeps the requests that it got, and replies with a status.
func receiver(t *testing.T, status int) (address string, got func() (*http.Request, []byte)) {
	t.Helper()
	type request struct {
		r    *http.Request
		body []byte
	}
	all := make(chan request, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		all <- request{r, body}
		w.WriteHeader(status)
		fmt.Fprintln(w, "because\nof this")
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://"), func() (*http.Request, []byte) {
		got := <-all
		return got.r, got.body
	}
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	address, got := receiver(t, http.StatusNoContent)
	key := []byte("0123456789abcdef0123")
	secret := "whsec_" + base64.StdEncoding.EncodeToString(key)
	hook := target(t, notify.Options{To: "webhook+http://" + address + "/hook", Secret: "$KEY", Env: []string{"KEY=" + secret}})
	if err := hook.Send(t.Context(), hostile()); err != nil {
		t.Fatal(err)
	}
	r, body := got()
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", r.Header.Get("webhook-id"), at.Unix(), body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.Header.Get("webhook-signature") != want || r.Header.Get("webhook-id") != "ntc_1" {
		t.Errorf("headers %v", r.Header)
	}
	var n notice.Notice
	if err := json.Unmarshal(body, &n); err != nil || n.Command != hostile().Command || len(n.Answers) != 2 {
		t.Errorf("%v: %s", err, body)
	}
	for _, bad := range []string{"whsec_!!", "short"} {
		if _, err := notify.New(notify.Options{To: "webhook+http://x", Secret: bad}); err == nil || strings.Contains(err.Error(), bad) {
			t.Errorf("secret %q: %v", bad, err)
		}
	}
}

// TestRefused: what is not taken is an error, with the begin of the reply and without
// the address; a redirect is no delivery.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 404, 500} {
		address, _ := receiver(t, status)
		err := target(t, notify.Options{To: "webhook+http://" + address + "/T0PSECRET?key=abcdefgh"}).Send(t.Context(), hostile())
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(status)) || !strings.Contains(err.Error(), "because") || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%d: %v", status, err)
		}
	}
	err := target(t, notify.Options{To: "webhook+http://127.0.0.1:1/T0PSECRET"}).Send(t.Context(), hostile())
	if err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("%v", err)
	}
}

func TestNtfy(t *testing.T) {
	t.Parallel()
	address, got := receiver(t, http.StatusOK)
	phone := target(t, notify.Options{To: "ntfy://:tk_secret@" + address + "/topic?scheme=http"})
	if err := phone.Send(t.Context(), hostile()); err != nil {
		t.Fatal(err)
	}
	r, body := got()
	var m struct {
		Topic, Title, Message string
		Priority              int
		Actions               []map[string]any
	}
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatal(err)
	}
	if r.URL.Path != "/" || r.Header.Get("Authorization") != "Bearer tk_secret" || m.Topic != "topic" || m.Title != hostile().Title || m.Priority != 4 {
		t.Errorf("%s %v %+v", r.URL, r.Header, m)
	}
	if len(m.Actions) != 2 || m.Actions[0]["action"] != "http" || m.Actions[0]["label"] != "yes; clear" || m.Actions[0]["method"] != "POST" || m.Actions[0]["url"] != "https://x.example/answer/a" {
		t.Errorf("%+v", m.Actions)
	}
	if !strings.HasSuffix(m.Message, "\n"+hostile().Command) {
		t.Errorf("%q", m.Message)
	}
	for _, bad := range []string{"ntfy://host", "ntfy:///topic", "ntfy://h/a/b", "ntfy://h/t?priority=9", "ntfy://h/t?titel=x", "ntfy://h/t?scheme=ftp"} {
		if _, err := notify.New(notify.Options{To: bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// TestService: a service of shoutrrr, against a receiver of ours.
func TestService(t *testing.T) {
	t.Parallel()
	address, got := receiver(t, http.StatusOK)
	generic := target(t, notify.Options{To: "generic://" + address + "/x?disabletls=yes&template=json"})
	if err := generic.Send(t.Context(), hostile()); err != nil {
		t.Fatal(err)
	}
	_, body := got()
	if text := string(body); strings.Contains(text, "@everyone") || strings.Contains(text, "<!channel>") || strings.Contains(text, "](http") || !strings.Contains(text, `ralph answer t11`) {
		t.Errorf("%s", text)
	}
	for _, bad := range []string{"nosuch://x", "logger://", "slack://x", "plain"} {
		if _, err := notify.New(notify.Options{To: bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// TestMail: an SMTP server gets one message, and no header of its text.
func TestMail(t *testing.T) {
	t.Parallel()
	address, mails := mailServer(t)
	mail := target(t, notify.Options{To: "smtp://" + address + "/?from=ralph@example.org&to=me@example.org&auth=none&usestarttls=no&encryption=none"})
	n := hostile()
	n.Title = "shop · Grüße — question"
	if err := mail.Send(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	got := <-mails
	head, body, _ := strings.Cut(got, "\n\n")
	if strings.Contains(head, "X: y") || !strings.Contains(head, "Subject: =?utf-8?q?") || !strings.Contains(head, "To: me@example.org") {
		t.Errorf("%s", head)
	}
	if !strings.Contains(body, "ralph answer t11") || !strings.Contains(body, "\n..\n") {
		t.Errorf("the dot line is not escaped, or something is lost: %q", body)
	}
}

// mailServer takes mails of one recipient, and returns each as it came over the line.
func mailServer(t *testing.T) (address string, mails <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	got := make(chan string, 10)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serveMail(c, got)
			}()
		}
	}()
	return l.Addr().String(), got
}

func serveMail(c net.Conn, got chan<- string) {
	in := bufio.NewReader(c)
	fmt.Fprint(c, "220 test\r\n")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(strings.Fields(line + " x")[0]); verb {
		case "EHLO", "HELO":
			fmt.Fprint(c, "250 test\r\n")
		case "DATA":
			fmt.Fprint(c, "354 go\r\n")
			var mail strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				mail.WriteString(strings.TrimRight(line, "\r\n") + "\n")
			}
			got <- mail.String()
			fmt.Fprint(c, "250 taken\r\n")
		case "QUIT":
			fmt.Fprint(c, "221 bye\r\n")
			return
		default:
			fmt.Fprint(c, "250 ok\r\n")
		}
	}
}

// TestNoAnswer: a receiver that takes the connection and never answers costs no more
// than the context allows, for a library too that cannot be interrupted.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, to := range []string{
		"webhook+http://%s/x", "ntfy://%s/x?scheme=http", "generic://%s/x?disabletls=yes", "smtp://%s/?from=a@b.c&to=d@e.f&auth=none&encryption=none",
	} {
		cause := errors.New("timed out")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, cause)
		if err := target(t, notify.Options{To: fmt.Sprintf(to, l.Addr())}).Send(ctx, hostile()); err == nil {
			t.Errorf("%s: delivered", to)
		}
		cancel()
	}
}

func TestProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := target(t, notify.Options{To: `exec:cat > got.json; printf %s "$WHO" > who`, Dir: dir, Env: append(os.Environ(), "WHO=me")})
	if err := run.Send(t.Context(), hostile()); err != nil {
		t.Fatal(err)
	}
	var n notice.Notice
	data, _ := os.ReadFile(filepath.Join(dir, "got.json"))
	if err := json.Unmarshal(data, &n); err != nil || n.ID != "ntc_1" {
		t.Errorf("%v: %s", err, data)
	}
	if who, _ := os.ReadFile(filepath.Join(dir, "who")); string(who) != "me" {
		t.Errorf("who is %q", who)
	}
	err := target(t, notify.Options{To: "exec:echo broken >&2; exit 3", Dir: dir, Env: os.Environ()}).Send(t.Context(), hostile())
	if err == nil || err.Error() != "exit code 3: broken" {
		t.Errorf("%v", err)
	}
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"bell:":   "\a",
		"osc9:":   "\x1b]9;shop · t11 — question\a",
		"osc777:": "\x1b]777;notify;ralph;shop · t11 — question\a",
	} {
		var screen bytes.Buffer
		if err := target(t, notify.Options{To: to, Terminal: &screen}).Send(t.Context(), hostile()); err != nil || screen.String() != want {
			t.Errorf("%s: %v, %q", to, err, screen.String())
		}
	}
	var screen bytes.Buffer
	_ = target(t, notify.Options{To: "osc9:", Terminal: &screen, Env: []string{"TMUX=x"}}).Send(t.Context(), hostile())
	if !strings.HasPrefix(screen.String(), "\x1bPtmux;\x1b\x1b]9;") {
		t.Errorf("%q", screen.String())
	}
	if err := target(t, notify.Options{To: "bell:"}).Send(t.Context(), hostile()); !errors.Is(err, notify.ErrNoTerminal) {
		t.Errorf("%v", err)
	}
	if _, err := notify.New(notify.Options{To: "$GONE"}); err == nil || !strings.Contains(err.Error(), "GONE") {
		t.Errorf("%v", err)
	}
}
