package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/text"
	"ralph/internal/web"
)

// flags of the pages; ralph serve has them too, for its --web.
type flags struct {
	port      int
	hosts     []string
	tokenFile string
	open      bool
	// listen is an address for other machines, cert and key its certificate.
	listen, cert, key string
}

// lookEvery is how often the stores' files are looked at while a browser listens.
const lookEvery = 50 * time.Millisecond

// Flags adds the flags of the pages to a command; listen is the name of the one for
// another address.
func (a *Commands) Flags(cmd *cobra.Command, listen string) {
	f, fl := &a.flags, cmd.Flags()
	fl.IntVar(&f.port, "port", 0, "listen on `PORT` of 127.0.0.1 (0: 7879, or a free one)")
	fl.StringArrayVar(&f.hosts, "host", nil, "answer to `NAME` too, for --"+listen+" or a proxy of your own that speaks TLS (repeatable)")
	fl.StringVar(&f.tokenFile, "token-file", "", "also sign in with the token in `FILE`, of at least 32 characters")
	fl.BoolVar(&f.open, "open", false, "open the browser")
	fl.StringVar(&f.listen, listen, "", "also answer other machines on `ADDRESS:PORT`, by TLS only")
	fl.StringVar(&f.cert, "tls-cert", "", "the certificate for --"+listen+", as a PEM `FILE`")
	fl.StringVar(&f.key, "tls-key", "", "its key, as a PEM `FILE` that only you can read")
}

func (a *Commands) WebCommand() *cobra.Command {
	signOut := false
	cmd := &cobra.Command{
		Use:     "web",
		GroupID: command.GroupWatch,
		Short:   "All loops and plans in a browser: look, answer, steer, accept, start",
		Long: `Show the loops and plans of all your repositories in a browser, and take your decisions
there. The server listens on this machine only, unless --listen adds an address. It prints a
link that signs in one browser, once, within ten minutes; Enter prints another one. A browser
stays signed in, also when this command is started again, until it was not used for a week,
or signs out. The loops run in processes of their own: ending this command stops none.

docs/web.md tells how to reach it from a phone or another machine.`,
		Example: `  ralph web                 # prints the link
  ralph web --open          # and opens the browser
  ralph web --json          # one object with the link, for programs
  ralph web --sign-out      # signs all browsers out, and ends
  ralph web --host box.tail1234.ts.net    # behind a proxy of your own
  ralph web --listen :8443 --tls-cert box.pem --tls-key box.key --host box.org`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if signOut {
				return a.signOutAll()
			}
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
	a.Flags(cmd, "listen")
	cmd.Flags().BoolVar(&signOut, "sign-out", false, "sign all browsers out, and end")
	return cmd
}

// signOutAll signs all browsers out, also of servers that run.
func (a *Commands) signOutAll() error {
	n, err := a.kept().signOut()
	if err == nil {
		a.Say("%s signed out", text.Plural(n, "browser"))
	}
	return err
}

// Begin listens, and prints the link. The function that it returns answers until ctx
// ends.
func (a *Commands) Begin(ctx context.Context) (func() error, error) {
	f := a.flags
	token, err := readToken(f.tokenFile)
	if err != nil {
		return nil, err
	}
	kept := a.kept()
	name, err := kept.name()
	if err != nil {
		return nil, err
	}
	all, page, err := f.listeners(ctx, kept.port())
	if err != nil {
		return nil, err
	}
	closed := func() {
		for _, l := range all {
			_ = l.Close()
		}
	}
	_, port, _ := net.SplitHostPort(all[0].Addr().String()) // of a TCP listener it is one
	kept.setPort(port)
	links := &links{Commands: a, page: "http://" + net.JoinHostPort(name, port) + "/", outside: page, used: make(chan struct{}, 1)}
	source := newSource(a)
	server, err := web.New(web.Options{
		Source: source, Name: name, Hosts: f.hosts, Browsers: kept, Token: token, Now: a.Now, LookEvery: lookEvery, SignedIn: links.wasUsed,
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
		defer source.all.Close()
		go links.more(ctx) // it ends with the process: reading a terminal cannot be interrupted
		return server.Serve(ctx, all...)
	}, nil
}

// listeners are those of loopback, and behind them the one for other machines with its
// page; last is the port of the last time.
func (f *flags) listeners(ctx context.Context, last int) ([]net.Listener, string, error) {
	outside, page, err := f.outside(ctx)
	if err != nil {
		return nil, "", err
	}
	all, err := onMachine(ctx, f.port, last)
	if outside == nil {
		return all, "", err
	}
	if err != nil {
		_ = outside.Close()
		return nil, "", err
	}
	return append(all, outside), page, nil
}

// readToken reads a token that the user keeps in a file. Others must not read it.
func readToken(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	if err := private(path); err != nil {
		return "", exit.UsageError("write one: head -c 32 /dev/urandom | base64 > FILE; chmod 600 FILE", "--token-file: %v", err)
	}
	data, err := os.ReadFile(path)
	return strings.TrimSpace(string(data)), err
}

// links prints the links that sign in.
type links struct {
	*Commands
	server *web.Server
	// page is the address on this machine, outside that for others; empty is none.
	page, outside string
	used          chan struct{}
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
	link := l.server.Link(cmp.Or(l.outside, l.page))
	switch {
	case l.JSON:
		data, err := json.Marshal(object{"ralph.web/v1", link, cmp.Or(l.outside, l.page)})
		if err != nil {
			return err
		}
		fmt.Fprintf(l.Out, "%s\n", data)
		return nil
	case f.open:
		err := l.openBrowser(ctx, l.server.Link(l.page))
		if err == nil {
			l.Say("ralph web is open in your browser; Enter prints a link for another one, ctrl-c ends it (no loop stops)")
			return nil
		}
		l.Say("the browser cannot be opened: %v", err)
	case !l.IsTerminal(l.Err) && f.tokenFile == "":
		return exit.UsageError("--json prints the link for a program; --token-file FILE signs in without a link", "the link is not written into a log: this is no terminal")
	case !l.IsTerminal(l.Err):
		l.Say("ralph web: %ssign-in, with the token of the file", cmp.Or(l.outside, l.page))
		return nil
	}
	l.print(link)
	return nil
}

// print prints a link. Where other machines are answered too it is one for them; the same
// code signs in on this machine.
func (l *links) print(link string) {
	words := "Open this link within ten minutes; it signs in one browser:\n\n  " + link + "\n\n"
	if l.outside != "" {
		words += "On this machine the pages are " + l.page + "\n"
	}
	l.Say("%sA browser that is signed in stays so. Enter prints another link, ctrl-c ends this page (no loop stops).", words)
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
			l.print(l.server.Link(cmp.Or(l.outside, l.page)))
		}
	}
}
