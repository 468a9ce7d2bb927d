package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
)

// asStranger tells the child which page, process and files it is to try: it is another
// user of the machine.
const asStranger = "RALPH_TEST_STRANGER"

// nobody has no rights anywhere.
const nobody = 65534

// TestAnotherUser: another user of the machine sees the port, and gets nothing by it: no
// page, no change, no link from the files or from the process.
func TestAnotherUser(t *testing.T) {
	t.Parallel()
	if tries := os.Getenv(asStranger); tries != "" {
		strange(t, strings.Split(tries, "\n"))
		return
	}
	if os.Geteuid() != 0 {
		tier.SkipLacking(t, "root", "it becomes another user")
	}
	var printed bytes.Buffer
	a := commands(t)
	a.Out, a.JSON = &printed, true
	token := filepath.Join(t.TempDir(), "token")
	const secret = "a-secret-that-is-long-enough-to-be-one"
	if err := os.WriteFile(token, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	a.flags.tokenFile = token
	ctx, stop := context.WithCancel(t.Context())
	serve, err := a.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- serve() }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	var o object
	if err := json.Unmarshal(printed.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	run := t.TempDir()
	page := filepath.Join(run, "opened")
	opener := filepath.Join(run, "xdg-open")
	if err := runnable.Write(opener, "#!/bin/sh\necho \"$1\" > "+page+"\n"); err != nil {
		t.Fatal(err)
	}
	a.Env = append(a.Env, "XDG_RUNTIME_DIR=", "PATH="+run+":"+os.Getenv("PATH"))
	opened := &links{Commands: a}
	if err := opened.openBrowser(ctx, o.Link); err != nil {
		t.Fatal(err)
	}
	link, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	file := strings.TrimSpace(string(link))
	if a.kept().read("name") == "" {
		t.Fatal("no name is kept")
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "code=") {
		t.Fatalf("the user itself: %v %s", err, data)
	}

	code := url.QueryEscape(strings.SplitN(o.Link, "code=", 2)[1])
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestAnotherUser$", "-test.v")
	cmd.Env = []string{asStranger + "=" + strings.Join([]string{o.URL, fmt.Sprint(os.Getpid()), file, token, page, filepath.Join(a.kept().dir, "name")}, "\n"), "PATH=" + os.Getenv("PATH"), "TMPDIR=/tmp"}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the stranger is done") {
		t.Errorf("%v: %s", err, out)
	}
	if strings.Contains(string(out), code) || strings.Contains(string(out), secret) {
		t.Errorf("the stranger has a secret: %s", out)
	}
}

// strange tries as another user what such a user can try.
func strange(t *testing.T, tries []string) {
	page, pid, files := tries[0], tries[1], tries[2:]
	if os.Geteuid() != nobody {
		t.Fatalf("user %d", os.Geteuid())
	}
	for _, path := range append(files, "/proc/"+pid+"/environ", "/proc/"+pid+"/mem", "/proc/"+pid+"/fd/0", "/proc/"+pid+"/cwd/x") {
		if data, err := os.ReadFile(path); err == nil {
			t.Errorf("%s can be read: %q", path, data)
		}
	}
	args, _ := os.ReadFile("/proc/" + pid + "/cmdline") // which all users see
	fmt.Printf("%q\n", args)
	u, err := url.Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	host := u.Host
	u.Host = "127.0.0.1:" + u.Port()
	for _, try := range []struct {
		method, path string
		headers      map[string]string
	}{
		{"GET", "", nil},
		{"GET", "agents", nil},
		{"GET", "events", nil},
		{"GET", "start", map[string]string{"Cookie": "ralph_session="}},
		{"GET", "", map[string]string{"Authorization": "Bearer x", "X-Forwarded-For": "127.0.0.1"}},
		{"POST", "start", map[string]string{"Origin": "http://" + host, "Sec-Fetch-Site": "same-origin"}},
		{"POST", "sign-in", map[string]string{"Origin": "http://" + host, "Sec-Fetch-Site": "same-origin"}},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), try.method, u.String()+try.path, strings.NewReader("code=x&task=x"))
		r.Host = host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for k, v := range try.headers {
			r.Header.Set(k, v)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden || strings.Contains(string(body), "a repo") || len(answer.Cookies()) > 0 {
			t.Errorf("%s /%s: %d %s", try.method, try.path, answer.StatusCode, body)
		}
	}
	fmt.Println("the stranger is done")
}
