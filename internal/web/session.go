package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"sync"
	"time"
)

const (
	signInPath = "/sign-in"
	cookieName = "ralph_session"
	// linkAge is how long a link works that was not used, sessionAge how long a browser
	// stays signed in after its last request.
	linkAge    = 10 * time.Minute
	sessionAge = 7 * 24 * time.Hour
	// mostSessions is far above the number of one person's browsers.
	mostSessions = 64
	// shortestToken is the length below which a token from a file is refused.
	shortestToken = 32
)

// digest is what is kept of a secret: it cannot be used in the secret's place.
type digest [sha256.Size]byte

// NewSecret returns 256 random bits as text of letters, digits, "-" and "_".
func NewSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// sessions are the browsers that are signed in, and the link that signs in the next one.
// They live in this process only: a file could be read by an agent.
type sessions struct {
	mu       sync.Mutex
	browsers map[digest]time.Time
	link     digest
	until    time.Time
	// token signs in as often as it is given; nil is none.
	token *digest
}

// newLink replaces the link that signs in once.
func (s *sessions) newLink(now time.Time) string {
	code := NewSecret()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.until = sha256.Sum256([]byte(code)), now.Add(linkAge)
	return code
}

// begin begins a session with the code of the link, which is used up, or with the token.
func (s *sessions) begin(code string, now time.Time) (session string, byLink, ok bool) {
	given := digest(sha256.Sum256([]byte(code)))
	s.mu.Lock()
	defer s.mu.Unlock()
	byLink = now.Before(s.until) && same(given, s.link)
	if !byLink && (s.token == nil || !same(given, *s.token)) {
		return "", false, false
	}
	if byLink {
		s.until = time.Time{}
	}
	session = NewSecret()
	s.forget(now)
	s.browsers[sha256.Sum256([]byte(session))] = now
	return session, byLink, true
}

func same(a, b digest) bool { return subtle.ConstantTimeCompare(a[:], b[:]) == 1 }

// forget drops the sessions that ended, and the oldest where there are too many.
func (s *sessions) forget(now time.Time) {
	var oldest digest
	for id, at := range s.browsers {
		if now.Sub(at) > sessionAge {
			delete(s.browsers, id)
		} else if last, found := s.browsers[oldest]; !found || at.Before(last) {
			oldest = id
		}
	}
	if len(s.browsers) >= mostSessions {
		delete(s.browsers, oldest)
	}
}

// known reports whether a session is signed in, and notes that it is used.
func (s *sessions) known(session string, now time.Time) bool {
	id := digest(sha256.Sum256([]byte(session)))
	s.mu.Lock()
	defer s.mu.Unlock()
	at, found := s.browsers[id]
	if !found || now.Sub(at) > sessionAge {
		return false
	}
	s.browsers[id] = now
	return true
}

// end signs a browser out.
func (s *sessions) end(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.browsers, sha256.Sum256([]byte(session)))
}

func cookieOf(r *http.Request) string {
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value
	}
	return ""
}

// setCookie signs the browser in. It has no Secure: the server itself speaks plain HTTP on
// loopback, where browsers differ in whether they keep such cookies.
func setCookie(w http.ResponseWriter, session string, age int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: age})
}
