package web

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// policy is the content security policy of every page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types ralph"

// The bounds of one request. slowest is how long a client may take to send it, answered
// how long an answer that is not a stream may take.
const (
	mostBody   = 64 << 10
	mostHeader = 16 << 10
	slowest    = 10 * time.Second
	answered   = 30 * time.Second
)

// guard lets through what comes from a signed-in browser that asked for this server.
func (s *Server) guard(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secured(w.Header())
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		switch {
		case !s.known(r.Host):
			s.fail(w, r, http.StatusMisdirectedRequest, "This server has another name.", "Open the link that ralph web printed; a name of your own is allowed with --host NAME.")
		case !s.admits(r):
			w.Header().Set("Retry-After", "1")
			s.fail(w, r, http.StatusTooManyRequests, "Too many requests.", "Wait a second.")
		case reads(r) && foreign(r):
			s.fail(w, r, http.StatusForbidden, "Another site asked for this page.", "Open it from the address bar.")
		case !reads(r) && (unsigned(r) || cross.Check(r) != nil || !s.ownOrigin(r)):
			s.fail(w, r, http.StatusForbidden, "Another site sent this request.", "Nothing was changed. Use the page of ralph itself.")
		case open(r):
			next.ServeHTTP(w, r)
		case !s.signedIn(r):
			s.signIn(w, r, http.StatusUnauthorized, "")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (s *Server) signedIn(r *http.Request) bool { return s.sessions.known(cookieOf(r), s.o.Now()) }

// admits counts a request. Those without a session have a budget of their own: a program
// that floods the server does not lock the user out.
func (s *Server) admits(r *http.Request) bool {
	if s.signedIn(r) {
		return s.users.admits(s.o.Now(), perSecond)
	}
	return s.strangers.admits(s.o.Now(), perSecondOfStrangers)
}

// secured sets the headers of every answer. Nothing is stored: pages show work in
// progress, and the next user of the browser has no session.
func secured(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
}

// known reports whether a Host header names this server. The port is not compared: it
// differs behind a forwarded port, and an attacker's name differs anyway.
func (s *Server) known(host string) bool { return slices.Contains(s.hosts, hostOf(host)) }

// hostOf is the name in a Host header, in one spelling.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// reads reports whether a request changes nothing.
func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// foreign reports whether another site causes a read that is not a plain navigation of
// the whole window: what it embeds or fetches is none of its business.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
}

// unsigned reports whether a change has neither of the headers by which a browser names
// the site that caused it. http.CrossOriginProtection takes such a request for that of a
// program; here only browsers change anything.
func unsigned(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == ""
}

// ownOrigin reports whether a request names this server as its origin, or none: a browser
// that sends no referrer says null, also of the server's own forms.
func (s *Server) ownOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || origin == "null" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && s.known(u.Host)
}

// open reports whether a path needs no session: the page that begins one, and the files
// that the program holds for everybody.
func open(r *http.Request) bool {
	return r.URL.Path == signInPath || strings.HasPrefix(r.URL.Path, staticPath) && reads(r)
}
