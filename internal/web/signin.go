package web

import (
	"context"
	"net/http"
)

// signInPage shows the form that begins a session. A link only fills it in: programs
// that preview links fetch them, and must not use them up.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) {
	s.signIn(w, r, http.StatusOK, r.URL.Query().Get("code"))
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request, code int, given string) {
	if r.Header.Get("Ralph-Have") != "" || r.URL.Path == "/events" {
		http.Error(w, "signed out", http.StatusUnauthorized)
		return
	}
	s.show(w, r, func(context.Context) (page, error) {
		return page{Title: "Sign in", code: code, Parts: []part{{"sign-in", "sign-in", map[string]string{"Code": given, "Path": signInPath}}}}, nil
	})
}

func (s *Server) signInForm(w http.ResponseWriter, r *http.Request) {
	session, byLink, ok := s.sessions.begin(r.PostFormValue("code"), s.o.Now())
	if !ok {
		s.fail(w, r, http.StatusForbidden, "This link does not work.", "A link signs in once, within ten minutes. For another one press Enter where ralph web runs.")
		return
	}
	setCookie(w, session, int(sessionAge.Seconds()))
	if byLink && s.o.SignedIn != nil {
		s.o.SignedIn()
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	s.sessions.end(cookieOf(r))
	setCookie(w, "", -1)
	http.Redirect(w, r, signInPath, http.StatusSeeOther)
}
