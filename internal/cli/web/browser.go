package web

import (
	"context"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/proc"
)

// pageFor is how long the file with the link stays: a browser that starts takes a while.
const pageFor = 30 * time.Second

// openBrowser opens the link. It is handed over in a file that only the user can read:
// arguments of processes are shown to every user of the machine.
func (l *links) openBrowser(ctx context.Context, link string) error {
	opener, err := l.opener()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(l.Getenv("XDG_RUNTIME_DIR"), "ralph-web-")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "open.html")
	page := fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=%s\"><title>ralph</title>", html.EscapeString(link))
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		_ = os.RemoveAll(dir)
		return err
	}
	clear := func() { _ = os.RemoveAll(dir) }
	time.AfterFunc(pageFor, clear)
	context.AfterFunc(ctx, clear)
	start, cancel := context.WithTimeout(ctx, pageFor)
	defer cancel()
	out, err := proc.Run(start, proc.Command{Argv: append(opener, path), Env: l.Env, MaxOutput: 4 << 10})
	if err == nil && out.Code != 0 {
		err = fmt.Errorf("%s exits %d", opener[0], out.Code)
	}
	return err
}

// opener is the command that opens a file in the user's browser.
func (l *links) opener() ([]string, error) {
	name := "xdg-open"
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		return nil, &exit.Error{Code: exit.Missing, Err: fmt.Errorf("--open does not work on windows: open the link yourself")}
	}
	path, err := proc.Find(l.Env, name)
	return []string{path}, err
}
