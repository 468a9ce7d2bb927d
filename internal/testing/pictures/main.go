// Command pictures draws the pages of ralph web for the documentation: it builds ralph,
// makes a repository with runs in every state (scene.sh), and photographs the pages in
// Chromium.
//
//	go run ./internal/testing/pictures -out docs/pictures
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"ralph/internal/proc"
)

//go:embed scene.sh
var scene string

// token signs the browser in. It opens nothing but the pages of this command.
const token = "the-token-of-the-pictures-0123456789"

// largest is the size of a picture that may stand in the repository, in bytes.
const largest = 150_000

// picture is a page at a size. Path may name a run by the beginning of its id.
type picture struct {
	name, path    string
	width, height int64
	scheme        string
}

var pictures = []picture{
	{"inbox", "/", 1100, 720, "light"},
	{"plan", "runs/plan-", 1100, 760, "dark"},
	{"attempt", "runs/discount/attempts", 1100, 900, "light"},
	{"phone", "runs/rounding", 380, 760, "light"},
}

func main() {
	out := flag.String("out", filepath.Join("docs", "pictures"), "write the pictures to `DIR`")
	keep := flag.String("all", "", "also photograph every page at 380, 768 and 1280 px, in light and dark, to `DIR`")
	flag.Parse()
	if err := run(context.Background(), *out, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, all string) error {
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	defer stop()
	dir, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &stage{dir: dir}
	if err := s.build(ctx); err != nil {
		return err
	}
	defer s.clear(context.WithoutCancel(ctx))
	served, err := s.serve(ctx)
	if err != nil {
		return err
	}
	err = s.shoot(ctx, out, all)
	stop()
	return errors.Join(err, <-served)
}

// stage is a repository with runs, and the server of its pages.
type stage struct{ dir, base string }

func (s *stage) command(argv ...string) proc.Command {
	env := append(os.Environ(), "RALPH="+filepath.Join(s.dir, "bin", "ralph"), "PATH="+filepath.Join(s.dir, "bin")+":"+os.Getenv("PATH"),
		"XDG_STATE_HOME="+filepath.Join(s.dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(s.dir, "config"))
	return proc.Command{Argv: argv, Dir: filepath.Join(s.dir, "shop"), Env: env, MaxOutput: 1 << 20}
}

func must(ctx context.Context, c proc.Command) error {
	o, err := proc.Run(ctx, c)
	if err == nil && o.Code != 0 {
		err = fmt.Errorf("%s: exit code %d: %s%s", c.Argv[0], o.Code, o.Stdout, o.Stderr)
	}
	return err
}

func (s *stage) build(ctx context.Context) error {
	build := s.command("go", "build", "-trimpath", "-o", filepath.Join(s.dir, "bin", "ralph"), "./cmd/ralph")
	build.Dir = ""
	if err := must(ctx, build); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(s.dir, "shop"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.dir, "token"), []byte(token), 0o600); err != nil {
		return err
	}
	return must(ctx, s.command("bash", "-c", scene))
}

// clear ends the runs that are still at work.
func (s *stage) clear(ctx context.Context) {
	_ = must(ctx, s.command(filepath.Join(s.dir, "bin", "ralph"), "abort", "--all", "--reason", "the pictures are drawn", "--yes"))
}

// serve begins ralph web and waits until it answers. The channel has how it ended.
func (s *stage) serve(ctx context.Context) (<-chan error, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	s.base = "http://localhost:" + strconv.Itoa(port)
	ended := make(chan error, 1)
	go func() {
		_, err := proc.Run(ctx, s.command(filepath.Join(s.dir, "bin", "ralph"), "web", "--port", strconv.Itoa(port), "--token-file", filepath.Join(s.dir, "token")))
		if ctx.Err() != nil {
			err = nil
		}
		ended <- err
	}()
	for {
		if answers(ctx, s.base+"/sign-in") {
			return ended, nil
		}
		select {
		case err := <-ended:
			return nil, fmt.Errorf("ralph web ended: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func answers(ctx context.Context, url string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return true
}

func (s *stage) shoot(ctx context.Context, out, all string) error {
	allocated, free := chromedp.NewExecAllocator(ctx, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.UserDataDir(filepath.Join(s.dir, "browser")))
	defer free()
	tab, closed := chromedp.NewContext(allocated)
	defer closed()
	err := chromedp.Do(tab, chromedp.Navigate(s.base+"/sign-in"), chromedp.SendKeys(chromedp.CSS("[name=code]"), token), chromedp.Click(chromedp.CSS("button.main")), chromedp.WaitVisible(chromedp.CSS("#summary")))
	if err != nil {
		return err
	}
	links, err := chromedp.Run(tab, chromedp.Evaluate[string](`[...document.querySelectorAll("a.open,.repos a")].map((a) => a.pathname).join("\n")`))
	if err != nil {
		return err
	}
	for _, p := range pictures {
		p.path = found(p.path, strings.Split(links, "\n"))
		if err := p.draw(tab, s.base, out); err != nil {
			return err
		}
	}
	if all == "" {
		return nil
	}
	repo := strings.TrimSuffix(found("report", strings.Split(links, "\n")), "/report")
	pages := []string{"/", "/start", "/agents", repo + "/report", repo + "/history", repo + "/timeline", repo + "/settings"}
	for _, run := range []string{"runs/plan-", "runs/discount", "runs/rounding", "runs/refund"} {
		pages = append(pages, found(run, strings.Split(links, "\n")))
	}
	for _, tab := range []string{"attempts", "log", "diff", "prompt", "evidence"} {
		pages = append(pages, repo+"/runs/discount/"+tab)
	}
	for _, page := range pages {
		for _, width := range []int64{380, 768, 1280} {
			for _, scheme := range []string{"light", "dark"} {
				name := strings.Trim(strings.ReplaceAll(strings.TrimPrefix(page, repo), "/", "-"), "-") + "-" + strconv.Itoa(int(width)) + "-" + scheme
				if err := (picture{name, page, width, 900, scheme}).draw(tab, s.base, all); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// found is the path of the link that holds a part of a path; what follows the name of a
// run is kept. A path from the root is taken as it is.
func found(part string, links []string) string {
	if strings.HasPrefix(part, "/") {
		return part
	}
	run, rest := part, ""
	if words := strings.Split(part, "/"); len(words) > 2 {
		run, rest = strings.Join(words[:2], "/"), "/"+strings.Join(words[2:], "/")
	}
	for _, l := range links {
		if strings.Contains(l, "/"+run) {
			return l + rest
		}
	}
	return "/"
}

func (p picture) draw(tab context.Context, base, dir string) error {
	err := chromedp.Do(tab, chromedp.EmulateViewport(p.width, p.height), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: p.scheme}}})
		return err
	}), chromedp.Navigate(base+p.path))
	if err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	data, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
	if err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	if len(data) > largest {
		return fmt.Errorf("%s: %d bytes, more than %d", p.name, len(data), largest)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, p.name+".png"), data, 0o644)
}
