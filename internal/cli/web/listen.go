package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/web"
)

// usualPort is tried first, so that a forwarded port and a bookmark stay good.
const usualPort = 7879

// mostPorts is how many free ports of 127.0.0.1 are tried whose twin on ::1 is taken.
const mostPorts = 20

// onMachine listens on loopback: on the port asked for, else the usual one, else the one of
// the last time, else any. It takes both addresses of the machine: browsers try ::1 first
// for a name below localhost, and another program that listens there would get the link.
func onMachine(ctx context.Context, port, last int) (all []net.Listener, err error) {
	all, err = onLoopback(ctx, cmp.Or(port, usualPort))
	if err != nil && port == 0 && last > 0 {
		all, err = onLoopback(ctx, last)
	}
	for n := 0; err != nil && port == 0 && n < mostPorts; n++ {
		all, err = onLoopback(ctx, 0)
	}
	if err != nil {
		return nil, exit.UsageError("choose another --port", "listen on port %d: %v", port, err)
	}
	return all, nil
}

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
		return []net.Listener{web.Bound(four), web.Bound(six)}, nil
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.EAFNOSUPPORT):
		return []net.Listener{web.Bound(four)}, nil
	}
	_ = four.Close()
	return nil, err
}

// outside is the listener for other machines, which speaks TLS only, and the page that it
// serves; nil where none is asked for.
func (f *flags) outside(ctx context.Context) (net.Listener, string, error) {
	if f.listen == "" && f.cert == "" && f.key == "" {
		return nil, "", nil
	}
	if f.listen == "" || f.cert == "" || f.key == "" {
		return nil, "", exit.UsageError("a proxy of your own needs none of them: docs/web.md", "the address, --tls-cert and --tls-key are given together: other machines are answered by TLS only")
	}
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return nil, "", exit.UsageError("such as 192.0.2.7:8443", "listen on %s: %v", f.listen, err)
	}
	if ip := net.ParseIP(host); ip != nil && !ip.IsUnspecified() {
		f.hosts = append(f.hosts, host)
	}
	if len(f.hosts) == 0 {
		return nil, "", exit.UsageError("--host box.example", "listen on %s: name the host under which browsers reach it", f.listen)
	}
	c := &certificate{cert: f.cert, key: f.key}
	if _, err := c.current(nil); err != nil {
		return nil, "", exit.UsageError("--tls-cert and --tls-key are PEM files; the key is yours alone: chmod 600", "TLS: %v", err)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", f.listen)
	if err != nil {
		return nil, "", exit.UsageError("choose another address", "listen on %s: %v", f.listen, err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String()) // of a TCP listener it is one
	page := "https://" + net.JoinHostPort(f.hosts[0], port) + "/"
	return tls.NewListener(web.Bound(l), &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.current}), page, nil
}

// certificate is read again when its file is replaced: programs that renew certificates do
// not know of this one.
type certificate struct {
	cert, key string

	mu   sync.Mutex
	of   time.Time
	pair *tls.Certificate
}

// current is the certificate of now. One that cannot be read leaves the one before.
func (c *certificate) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	info, err := os.Stat(c.cert)
	if err == nil && c.pair != nil && info.ModTime().Equal(c.of) {
		return c.pair, nil
	}
	var pair tls.Certificate
	if err == nil {
		err = private(c.key)
	}
	if err == nil {
		pair, err = tls.LoadX509KeyPair(c.cert, c.key)
	}
	if err != nil {
		if c.pair != nil {
			return c.pair, nil
		}
		return nil, err
	}
	c.of, c.pair = info.ModTime(), &pair
	return c.pair, nil
}

// private refuses a file that other users can read.
func private(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // there the mode tells nothing
		return errors.New(path + ": other users can read it: chmod 600 " + command.ShellWord(path))
	}
	return nil
}
