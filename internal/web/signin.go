package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// signInPage shows the form that begins a session. A link only fills it in: programs
// that preview links fetch them, and must not use them up.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) {
	s.signIn(w, r, http.StatusOK, r.URL.Query().Get("code"))
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request, code int, given string) {
	if r.Header.Get("Ralph-Have") != "" || isStream(r) {
		http.Error(w, "signed out", http.StatusUnauthorized)
		return
	}
	s.show(w, r, func(context.Context) (page, error) {
		return page{Title: "Sign in", code: code, Parts: []part{{"sign-in", "sign-in", map[string]string{"Code": given, "Path": signInPath}}}}, nil
	})
}

// isStream reports whether a script reads the answer, and no person.
func isStream(r *http.Request) bool {
	return r.URL.Path == "/events" || strings.HasPrefix(r.URL.Path, "/r/") && strings.HasSuffix(r.URL.Path, "/follow")
}

func (s *Server) signInForm(w http.ResponseWriter, r *http.Request) {
	session, byLink, ok, err := s.sessions.begin(r.PostFormValue("code"), !slices.Contains(shared, hostOf(r.Host)), s.o.Now())
	if err != nil {
		s.failed(w, r, err)
		return
	}
	if !ok {
		s.fail(w, r, http.StatusForbidden, "This link does not work.", "A link signs in once, within ten minutes. For another one press Enter where ralph web runs.")
		return
	}
	setCookie(w, r, session, int(SessionAge.Seconds()))
	if byLink && s.o.SignedIn != nil {
		s.o.SignedIn()
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if err := s.sessions.end(cookieOf(r)); err != nil {
		s.failed(w, r, err)
		return
	}
	setCookie(w, r, "", -1)
	http.Redirect(w, r, signInPath, http.StatusSeeOther)
}
