package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"ralph/internal/notice"
	"ralph/internal/text"
)

// Target sends notices to one address.
type Target interface {
	// Send returns nil only where the other side took the notice.
	Send(ctx context.Context, n notice.Notice) error
	// Buttons reports whether the target can use the answers of a question.
	Buttons() bool
}

// Options of a target.
type Options struct {
	// To is its address; "$NAME" is the value of a variable of Env.
	To string
	// Secret signs webhooks: whsec_ and base64, or "$NAME".
	Secret string
	// Env is that of programs, as NAME=value; Dir where they start.
	Env []string
	Dir string
	// Terminal of this process; nil is none.
	Terminal io.Writer
	Now      func() time.Time
}

// ErrNoTerminal is returned by a process without a terminal: the notice is not for it.
var ErrNoTerminal = errors.New("this process has no terminal")

// New returns the target of an address.
func New(o Options) (Target, error) {
	to, err := o.resolve(o.To)
	if err != nil {
		return nil, err
	}
	secret, err := o.resolve(o.Secret)
	if err != nil {
		return nil, err
	}
	scheme, rest, found := strings.Cut(to, ":")
	if !found {
		return nil, fmt.Errorf("the address has no scheme; write one such as ntfy://ntfy.sh/TOPIC")
	}
	hide := concealer(to, secret)
	inner, err := o.target(scheme, rest, to, secret)
	if err != nil {
		return nil, hide.error(err)
	}
	return concealed{inner, hide}, nil
}

func (o Options) target(scheme, rest, to, secret string) (Target, error) {
	switch scheme {
	case "desktop":
		return desktop{}, nil
	case "bell", "osc9", "osc777":
		return terminal{scheme, o.Terminal, o.getenv("TMUX") != ""}, nil
	case "exec":
		return newProgram(rest, o)
	case "webhook+https", "webhook+http":
		return newWebhook(strings.TrimPrefix(to, "webhook+"), secret, o.Now)
	case "ntfy":
		return newNtfy(to)
	}
	return newService(scheme, to)
}

func (o Options) getenv(name string) string {
	for _, kv := range slices.Backward(o.Env) {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}

// resolve replaces "$NAME" by the variable's value.
func (o Options) resolve(s string) (string, error) {
	name, is := strings.CutPrefix(s, "$")
	if !is {
		return s, nil
	}
	if v := o.getenv(name); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("the variable %s is not set", name)
}

// client never follows a redirect: a signed message is for one address.
func client() *http.Client {
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// mostReply is how much of a reply is read.
const mostReply = 4 << 10

// post sends a request. Any status but 2xx is an error with the begin of the reply.
func post(ctx context.Context, to string, body []byte, header http.Header) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	req.Header = header
	c := client()
	defer c.CloseIdleConnections()
	resp, err := c.Do(req)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // without the address
		}
		return err
	}
	defer resp.Body.Close()
	reply, _ := io.ReadAll(io.LimitReader(resp.Body, mostReply))
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("HTTP %s: %s", resp.Status, text.Headline(string(reply), mostQuoted))
	}
	return nil
}
