package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/engine/notifier"
)

// answers takes the answers that people give with the buttons of messages: a POST to
// the address of a token. Each token stands for one answer to one question, is 256
// random bits, and is good until the question is answered. Nothing else can be asked or
// told here, and GET changes nothing, since programs that preview messages fetch what
// they find.
type answers struct {
	served *served
	mu     sync.Mutex
	// projects may be answered; spent is how many requests of this second were served.
	projects []*project.Project
	second   time.Time
	spent    int
}

const (
	// perSecond bounds the requests: people press buttons.
	perSecond = 20
	// longestToken is far above the length of one.
	longestToken = 200
	mostBody     = 1 << 10
	slowest      = 10 * time.Second
	// answering is how long an answer may take, the start of a process included.
	answering = 30 * time.Second
)

func (a *answers) add(p *project.Project) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.projects = append(a.projects, p)
}

// listen serves the address until ctx ends.
func (a *answers) listen(ctx context.Context, address string) (stop func(), err error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, exit.UsageError("--listen 127.0.0.1:7878", "--listen %s: %v", address, err)
	}
	server := &http.Server{
		Handler: a, ReadTimeout: slowest, ReadHeaderTimeout: slowest, IdleTimeout: slowest, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	a.served.Say("answers are taken at http://%s%s…", l.Addr(), notifier.AnswerPath)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(l)
	}()
	return func() {
		_ = server.Close()
		<-ended
	}, nil
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	token, found := strings.CutPrefix(r.URL.Path, notifier.AnswerPath)
	switch {
	case !a.admits():
		h.Set("Retry-After", "1")
		reply(w, http.StatusTooManyRequests, "too many requests")
	case !found || token == "" || len(token) > longestToken:
		reply(w, http.StatusNotFound, "nothing is here")
	case r.Method != http.MethodPost:
		h.Set("Allow", http.MethodPost)
		reply(w, http.StatusMethodNotAllowed, "an answer is given with POST, by the button of the message")
	default:
		ctx, cancel := context.WithTimeout(r.Context(), answering)
		defer cancel()
		code, words := a.answer(ctx, token)
		reply(w, code, words)
	}
}

func reply(w http.ResponseWriter, code int, words string) {
	w.WriteHeader(code)
	fmt.Fprintln(w, words)
}

// admits counts the requests of this second.
func (a *answers) admits() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := a.served.Now().Truncate(time.Second); !now.Equal(a.second) {
		a.second, a.spent = now, 0
	}
	a.spent++
	return a.spent <= perSecond
}

// answer finds the repository that gave a token out, and answers there.
func (a *answers) answer(ctx context.Context, token string) (code int, words string) {
	a.mu.Lock()
	all := slices.Clone(a.projects)
	a.mu.Unlock()
	for _, p := range all {
		box := a.served.Outbox(p, false)
		if !box.Exists() {
			continue
		}
		b, err := box.Button(ctx, token)
		if err == nil {
			code, words = a.press(ctx, p, b)
			if code == http.StatusOK {
				_, _ = box.Press(ctx, token)
			}
		}
		_ = box.Close()
		if !errors.Is(err, project.ErrNoButton) {
			if err != nil {
				return http.StatusServiceUnavailable, "the outbox cannot be read; answer at a terminal"
			}
			return code, words
		}
	}
	return http.StatusNotFound, "nothing is here"
}

// press gives the answer of a button, under the rules of ralph answer.
func (a *answers) press(ctx context.Context, p *project.Project, b project.Button) (code int, words string) {
	if a.served.Now().After(b.Until) {
		return http.StatusGone, "this button has expired; answer at a terminal"
	}
	words, err := a.served.runner.AnswerQuestion(ctx, p, foreground.Reply{
		Run: b.Run, Instance: b.Question, Answer: b.Answer, By: "the button of notification target " + b.Target,
	})
	stale, isStale := errors.AsType[*foreground.StaleError](err)
	switch {
	case isStale:
		return http.StatusConflict, stale.Happened
	case errors.Is(err, foreground.ErrNotTaken):
		return http.StatusConflict, "the question does not take this answer any more"
	case err != nil:
		return http.StatusServiceUnavailable, "the answer was not taken; answer at a terminal"
	}
	return http.StatusOK, words
}
