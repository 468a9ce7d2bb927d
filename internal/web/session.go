package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"sync"
	"time"
)

const (
	signInPath = "/sign-in"
	cookieName = "ralph_session"
	// linkAge is how long a link works that was not used.
	linkAge = 10 * time.Minute
	// SessionAge is how long a browser stays signed in after its last request.
	SessionAge = 7 * 24 * time.Hour
	// MostSessions is far above the number of one person's browsers.
	MostSessions = 64
	// shortestToken is the length below which a token from a file is refused.
	shortestToken = 32
)

// Browsers are those that are signed in, each under an id of hex digits: the SHA-256 of
// its cookie, which cannot be used in the cookie's place. At most MostSessions are kept,
// those that were used last, each for SessionAge after its last use.
type Browsers interface {
	Add(id string, now time.Time) error
	// Used reports whether a browser is signed in, and notes that it was used now.
	Used(id string, now time.Time) bool
	Remove(id string) error
}

// digest is what is kept of a secret: it cannot be used in the secret's place.
type digest [sha256.Size]byte

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }

// NewSecret returns 256 random bits as text of letters, digits, "-" and "_".
func NewSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// sessions are the browsers that are signed in, and the link that signs in the next one.
type sessions struct {
	browsers Browsers
	// passing are those that signed in under a name that other programs of the machine
	// share, such as localhost. Their cookies reach these programs too, and die with the
	// process.
	passing memory

	mu    sync.Mutex
	link  digest
	until time.Time
	// token signs in as often as it is given; nil is none.
	token *digest
}

// newLink replaces the link that signs in once.
func (s *sessions) newLink(now time.Time) string {
	code := NewSecret()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.until = digestOf(code), now.Add(linkAge)
	return code
}

// begin begins a session with the code of the link, which is used up, or with the token.
// It is kept only where the name of the server is no other program's too.
func (s *sessions) begin(code string, own bool, now time.Time) (session string, byLink, ok bool, err error) {
	byLink, ok = s.takes(digestOf(code), now)
	if !ok {
		return "", false, false, nil
	}
	session = NewSecret()
	to := s.browsers
	if !own {
		to = &s.passing
	}
	err = to.Add(idOf(session), now)
	return session, byLink, err == nil, err
}

// takes reports whether a code signs in, and uses it up where it is that of the link.
func (s *sessions) takes(given digest, now time.Time) (byLink, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.until) && same(given, s.link) {
		s.until = time.Time{}
		return true, true
	}
	return false, s.token != nil && same(given, *s.token)
}

func same(a, b digest) bool { return subtle.ConstantTimeCompare(a[:], b[:]) == 1 }

// idOf is the id under which the browser with a session is kept.
func idOf(session string) string {
	d := digestOf(session)
	return hex.EncodeToString(d[:])
}

// known reports whether a session is signed in, and notes that it is used.
func (s *sessions) known(session string, now time.Time) bool {
	return session != "" && (s.browsers.Used(idOf(session), now) || s.passing.Used(idOf(session), now))
}

// end signs a browser out.
func (s *sessions) end(session string) error {
	return errors.Join(s.browsers.Remove(idOf(session)), s.passing.Remove(idOf(session)))
}

func cookieOf(r *http.Request) string {
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value
	}
	return ""
}

// setCookie signs the browser in. It has Secure only where the server itself speaks TLS:
// over plain HTTP, on loopback, browsers differ in whether they keep such cookies.
func setCookie(w http.ResponseWriter, r *http.Request, session string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: session, Path: "/", HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode, MaxAge: age,
	})
}
