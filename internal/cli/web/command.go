package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/web"
)

// flags of the pages; ralph serve has them too, for its --web.
type flags struct {
	port      int
	hosts     []string
	tokenFile string
	open      bool
}

// usualPort is tried first, so that a forwarded port and a bookmark stay good.
const usualPort = 7879

// lookEvery is how often the stores' files are looked at while a browser listens.
const lookEvery = 50 * time.Millisecond

// Flags adds the flags of the pages to a command.
func (a *Commands) Flags(cmd *cobra.Command) {
	f, fl := &a.flags, cmd.Flags()
	fl.IntVar(&f.port, "port", 0, "listen on `PORT` of 127.0.0.1 (0: 7879, or a free one)")
	fl.StringArrayVar(&f.hosts, "host", nil, "answer to `NAME` too, for a proxy of your own that speaks TLS (repeatable)")
	fl.StringVar(&f.tokenFile, "token-file", "", "also sign in with the token in `FILE`, of at least 32 characters")
	fl.BoolVar(&f.open, "open", false, "open the browser")
}

func (a *Commands) WebCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "web",
		GroupID: command.GroupWatch,
		Short:   "All loops and plans in a browser: look, answer, steer, accept, start",
		Long: `Show the loops and plans of all your repositories in a browser, and take your decisions
there. The server listens on this machine only. It prints a link that signs in one browser,
once, within ten minutes; Enter prints another one. The loops run in processes of their own:
ending this command stops none.

docs/web.md tells how to reach it from a phone or another machine.`,
		Example: `  ralph web                 # prints the link
  ralph web --open          # and opens the browser
  ralph web --json          # one object with the link, for programs
  ralph web --host box.tail1234.ts.net    # behind a proxy of your own`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, end := a.UntilSignal(cmd.Context())
			defer end()
			serve, err := a.Begin(ctx)
			if err != nil {
				return err
			}
			if err := serve(); err != nil {
				return err
			}
			if f, ok := errors.AsType[*exit.Error](context.Cause(ctx)); ok {
				return exit.With(f.Code)
			}
			return nil
		},
	}
	a.Flags(cmd)
	return cmd
}

// Begin listens, and prints the link. The function that it returns answers until ctx
// ends.
func (a *Commands) Begin(ctx context.Context) (func() error, error) {
	f := a.flags
	token, err := readToken(f.tokenFile)
	if err != nil {
		return nil, err
	}
	all, err := listen(ctx, f.port)
	if err != nil {
		return nil, err
	}
	closed := func() {
		for _, l := range all {
			_ = l.Close()
		}
	}
	_, port, _ := net.SplitHostPort(all[0].Addr().String()) // of a TCP listener it is one
	links := &links{Commands: a, port: port, used: make(chan struct{}, 1)}
	source := newSource(a)
	server, err := web.New(web.Options{
		Source: source, Name: ownName(), Hosts: f.hosts, Token: token, Now: a.Now, LookEvery: lookEvery, SignedIn: links.wasUsed,
	})
	if errors.Is(err, web.ErrShortToken) {
		err = exit.UsageError("head -c 32 /dev/urandom | base64 writes one", "--token-file %s: %v", f.tokenFile, err)
	}
	if err != nil {
		closed()
		return nil, err
	}
	links.server = server
	if err := links.first(ctx, f); err != nil {
		closed()
		return nil, err
	}
	return func() error {
		defer source.close()
		go links.more(ctx) // it ends with the process: reading a terminal cannot be interrupted
		return server.Serve(ctx, all...)
	}, nil
}

// ownName is a name below localhost, which browsers resolve to this machine by
// themselves. It differs from start to start, so that nothing else on this machine gets
// the browser to send it the cookie.
func ownName() string {
	letters := strings.NewReplacer("-", "", "_", "").Replace(web.NewSecret())
	return "ralph-" + strings.ToLower(letters[:min(len(letters), 8)]) + ".localhost"
}

// readToken reads a token that the user keeps in a file. Others must not read it.
func readToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", exit.UsageError("write one: head -c 32 /dev/urandom | base64 > FILE; chmod 600 FILE", "--token-file: %v", err)
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // there the mode tells nothing
		return "", exit.UsageError("chmod 600 "+command.ShellWord(path), "--token-file %s: other users can read it", path)
	}
	data, err := os.ReadFile(path)
	return strings.TrimSpace(string(data)), err
}

// listen listens on loopback only: on the port asked for, else the usual one, else any. It
// takes both addresses of the machine: browsers try ::1 first for a name below localhost,
// and another program that listens there would get the link.
func listen(ctx context.Context, port int) (all []net.Listener, err error) {
	all, err = onLoopback(ctx, cmp.Or(port, usualPort))
	for n := 0; err != nil && port == 0 && n < mostPorts; n++ {
		all, err = onLoopback(ctx, 0)
	}
	if err != nil {
		return nil, exit.UsageError("choose another --port", "listen on port %d: %v", port, err)
	}
	return all, nil
}

// mostPorts is how many free ports of 127.0.0.1 are tried whose twin on ::1 is taken.
const mostPorts = 20

// onLoopback listens on a port of 127.0.0.1, and on the same of ::1 where the machine has
// that address.
func onLoopback(ctx context.Context, port int) ([]net.Listener, error) {
	var config net.ListenConfig
	four, err := config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	_, chosen, _ := net.SplitHostPort(four.Addr().String()) // of a TCP listener it is one
	six, err := config.Listen(ctx, "tcp6", net.JoinHostPort("::1", chosen))
	switch {
	case err == nil:
		return []net.Listener{four, six}, nil
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.EAFNOSUPPORT):
		return []net.Listener{four}, nil
	}
	_ = four.Close()
	return nil, err
}

// links prints the links that sign in.
type links struct {
	*Commands
	server *web.Server
	port   string
	used   chan struct{}
}

// object is the answer of --json.
type object struct {
	Schema string `json:"schema"`
	// Link signs in once, within ten minutes; URL is where the pages are then.
	Link string `json:"link"`
	URL  string `json:"url"`
}

// first prints the first link. It goes to a terminal or to the program that asks with
// --json, and never into a log.
func (l *links) first(ctx context.Context, f flags) error {
	link := l.server.Link(l.port)
	url := strings.SplitAfterN(link, "/", 4)
	switch {
	case l.JSON:
		data, err := json.Marshal(object{"ralph.web/v1", link, strings.Join(url[:3], "")})
		if err != nil {
			return err
		}
		fmt.Fprintf(l.Out, "%s\n", data)
		return nil
	case f.open:
		err := l.openBrowser(ctx, link)
		if err == nil {
			l.Say("ralph web is open in your browser; Enter prints a link for another one, ctrl-c ends it (no loop stops)")
			return nil
		}
		l.Say("the browser cannot be opened: %v", err)
	case !l.IsTerminal(l.Err) && f.tokenFile == "":
		return exit.UsageError("--json prints the link for a program; --token-file FILE signs in without a link", "the link is not written into a log: this is no terminal")
	case !l.IsTerminal(l.Err):
		l.Say("ralph web: %ssign-in, with the token of the file", strings.Join(url[:3], ""))
		return nil
	}
	l.print(link)
	return nil
}

func (l *links) print(link string) {
	l.Say("Open this link within ten minutes; it signs in one browser:\n\n  %s\n\nEnter prints another one, ctrl-c ends this page (no loop stops).", link)
}

// wasUsed notes that the link signed a browser in.
func (l *links) wasUsed() {
	select {
	case l.used <- struct{}{}:
	default:
	}
}

// more prints a link whenever the user at the terminal presses Enter, and tells when one
// was used: if it was not by the user, it should be known.
func (l *links) more(ctx context.Context) {
	if l.JSON || !l.IsTerminal(l.Err) {
		return
	}
	enter := make(chan struct{})
	if l.IsTerminal(l.In) {
		go func() {
			defer close(enter)
			for b := make([]byte, 256); ; {
				if _, err := l.In.Read(b); err != nil {
					return
				}
				select {
				case enter <- struct{}{}:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.used:
			l.Say("a browser signed in")
		case _, ok := <-enter:
			if !ok {
				return
			}
			l.print(l.server.Link(l.port))
		}
	}
}
