package web

import (
	"context"
	"errors"
	"html/template"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Options of a server.
type Options struct {
	Source Source
	// Name is the server's own name below localhost; Hosts are further names under which
	// the user reaches it.
	Name  string
	Hosts []string
	// Browsers are those that are signed in.
	Browsers Browsers
	// Token signs in as often as it is given; empty: only links sign in.
	Token string
	// SignedIn is called after a link was used: it does not work again.
	SignedIn func()
	Now      func() time.Time
	// LookEvery is how often the repositories are looked at while a browser listens.
	LookEvery time.Duration
}

// Server is the handler of all pages.
type Server struct {
	o        Options
	hosts    []string
	sessions sessions
	// users and strangers count requests with and without a session.
	users, strangers rate
	streams, actions slots
	templates        *template.Template
	static           *static
	hub              *hub
	handler          http.Handler
}

// ErrShortToken is returned for a token that could be guessed.
var ErrShortToken = errors.New("the token has less than 32 characters")

// shared are the names of this server that all programs of the machine have.
var shared = []string{"localhost", "127.0.0.1", "::1"}

// New returns a server. It starts nothing.
func New(o Options) (*Server, error) {
	s := &Server{
		o: o, hosts: append([]string{strings.ToLower(o.Name)}, shared...),
		sessions: sessions{browsers: o.Browsers}, streams: make(slots, mostStreams), actions: make(slots, mostActions),
	}
	for _, h := range o.Hosts {
		s.hosts = append(s.hosts, strings.ToLower(h))
	}
	if o.Token != "" {
		if len(o.Token) < shortestToken {
			return nil, ErrShortToken
		}
		d := digestOf(o.Token)
		s.sessions.token = &d
	}
	var err error
	if s.static, err = newStatic(); err != nil {
		return nil, err
	}
	if s.templates, err = s.parse(); err != nil {
		return nil, err
	}
	s.hub = newHub(o.Source, o.LookEvery)
	s.handler = s.guard(s.routes())
	return s, nil
}

// Link is an address below a page, such as http://name:7879/, that signs one browser in,
// once, within ten minutes. It replaces the one before.
func (s *Server) Link(page string) string {
	return strings.TrimSuffix(page, "/") + signInPath + "?" + url.Values{"code": {s.sessions.newLink(s.o.Now())}}.Encode()
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Serve answers on listeners, which are bounded (Bound), until ctx ends; requests in progress are finished first,
// up to a moment. Streams end at once.
func (s *Server) Serve(ctx context.Context, all ...net.Listener) error {
	base, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: slowest, ReadTimeout: slowest, WriteTimeout: answered, IdleTimeout: time.Minute, MaxHeaderBytes: mostHeader,
		BaseContext: func(net.Listener) context.Context { return base },
		ErrorLog:    log.New(io.Discard, "", 0), // what clients do wrong is theirs to see
	}
	ended := context.AfterFunc(ctx, func() {
		s.hub.close()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), slowest)
		defer cancel()
		_ = server.Shutdown(end)
	})
	defer ended()
	defer func() { _ = server.Close() }()
	over := make(chan error, len(all))
	for _, l := range all {
		go func() { over <- server.Serve(l) }()
	}
	var failed error
	for range all {
		if err := <-over; !errors.Is(err, http.ErrServerClosed) {
			failed = errors.Join(failed, err)
			_ = server.Close() // the others end too
		}
	}
	return failed
}

// routes are the pages and actions.
func (s *Server) routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET "+signInPath, s.signInPage)
	m.HandleFunc("POST "+signInPath, s.signInForm)
	m.HandleFunc("POST /sign-out", s.signOut)
	m.HandleFunc("GET "+staticPath+"{name}", s.static.serve)
	m.HandleFunc("GET /events", s.events)

	m.HandleFunc("GET /{$}", s.inbox)
	m.HandleFunc("GET /agents", s.agents)
	m.HandleFunc("GET /start", s.startPage)
	m.HandleFunc("POST /start", s.startForm)
	m.HandleFunc("GET /r/{repo}/runs/{id}", s.run)
	m.HandleFunc("GET /r/{repo}/runs/{id}/{tab}", s.run)
	m.HandleFunc("GET /r/{repo}/runs/{id}/log.txt", s.logFile)
	m.HandleFunc("GET /r/{repo}/runs/{id}/follow", s.follow)
	m.HandleFunc("POST /r/{repo}/runs/{id}/answer", s.answer)
	m.HandleFunc("POST /r/{repo}/runs/{id}/do/{verb}", s.act)
	m.HandleFunc("GET /r/{repo}/report", s.report)
	m.HandleFunc("GET /r/{repo}/history", s.history)
	m.HandleFunc("GET /r/{repo}/timeline", s.timeline)
	m.HandleFunc("GET /r/{repo}/settings", s.settings)
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusNotFound, "Nothing is here.", "The Inbox lists all runs.")
	})
	return m
}

// repository finds the one that a path names.
func (s *Server) repository(r *http.Request) (Repository, error) {
	all, err := s.o.Source.Repositories(r.Context())
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(one Repository) bool { return one.Key() == r.PathValue("repo") })
	if i < 0 {
		return nil, ErrNotFound
	}
	return all[i], nil
}
