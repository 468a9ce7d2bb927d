package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"ralph/internal/text"
	"ralph/internal/view"
)

//go:embed templates
var templateFiles embed.FS

// parse reads the templates. They are read when the server begins: other commands of
// the program do not pay for them.
func (s *Server) parse() (*template.Template, error) {
	funcs := template.FuncMap{
		"static":   func(name string) string { return s.static.names[name] },
		"clock":    func(t time.Time) string { return text.Clock(t, s.o.Now()) },
		"age":      func(t time.Time) string { return text.Age(t, s.o.Now()) },
		"line":     text.Line,
		"clip":     func(n int, words string) string { return text.Clip(words, n) },
		"clean":    text.Clean,
		"title":    func(n int, words string) string { return text.Clip(view.Unmarked(words), n) },
		"markdown": markdownHTML,
	}
	parts, err := template.New("").Funcs(funcs).Parse(view.Parts())
	if err != nil {
		return nil, err
	}
	return parts.ParseFS(templateFiles, "templates/*.html")
}

// page is a title and the parts that it is made of, in order.
type page struct {
	Title string
	// Nav is the entry of the navigation that stands out; Repo the repository that the
	// page is about, which may be none.
	Nav  string
	Repo *repoLinks
	// Base is the path of the page; Live reports whether it is kept up to date.
	Live  bool
	Parts []part
	code  int
}

// part is a piece of a page that can be replaced by itself. Template writes Data.
type part struct {
	ID, Template string
	Data         any
}

// standing is the data of a part that the page keeps up to date by itself: the digest
// tells which part it is, and not what is in it.
type standing interface{ digest() string }

// repoLinks name a repository in the navigation.
type repoLinks struct{ Key, Title, Root string }

func linksOf(r Repository) *repoLinks {
	return &repoLinks{r.Key(), text.Line(r.Title()), text.Line(r.Root())}
}

// fragment is a part as HTML, with its digest.
type fragment struct {
	ID     string        `json:"id"`
	Digest string        `json:"digest"`
	HTML   template.HTML `json:"html"`
}

func (s *Server) fragments(p page) ([]fragment, error) {
	out := make([]fragment, 0, len(p.Parts))
	for _, part := range p.Parts {
		var b bytes.Buffer
		if err := s.templates.ExecuteTemplate(&b, part.Template, part.Data); err != nil {
			return nil, err
		}
		sum := sha256.Sum256(b.Bytes())
		digest := hex.EncodeToString(sum[:8])
		if d, ok := part.Data.(standing); ok {
			digest = d.digest()
		}
		out = append(out, fragment{part.ID, digest, template.HTML(b.String())}) //nolint:gosec // a template of ours escaped it
	}
	return out, nil
}

// show builds a page and writes it: whole, or for the script of a page that is open the
// fragments that it does not have.
func (s *Server) show(w http.ResponseWriter, r *http.Request, build func(context.Context) (page, error)) {
	p, err := build(r.Context())
	if err == nil {
		var all []fragment
		if all, err = s.fragments(p); err == nil {
			s.write(w, r, p, all)
			return
		}
	}
	s.failed(w, r, err)
}

func (s *Server) write(w http.ResponseWriter, r *http.Request, p page, all []fragment) {
	if have := r.Header.Get("Ralph-Have"); have != "" {
		writeFragments(w, r, p, all, strings.Split(have, ","))
		return
	}
	var b bytes.Buffer
	if err := s.templates.ExecuteTemplate(&b, "layout", map[string]any{"Page": p, "Fragments": all, "SignedIn": s.signedIn(r)}); err != nil {
		http.Error(w, "the page cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	send(w, r, max(p.code, http.StatusOK), b.Bytes())
}

// writeFragments sends the fragments whose digests are not among those that the page has.
func writeFragments(w http.ResponseWriter, r *http.Request, p page, all []fragment, have []string) {
	ids := make([]string, len(all))
	for i, f := range all {
		ids[i] = f.ID
	}
	fresh := slices.DeleteFunc(slices.Clone(all), func(f fragment) bool { return slices.Contains(have, f.Digest) })
	data, err := json.Marshal(map[string]any{"title": p.Title, "ids": ids, "fragments": fresh})
	if err != nil {
		http.Error(w, "the page cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	send(w, r, http.StatusOK, data)
}

// send writes an answer, compressed where the browser takes it. No answer holds a secret
// beside text that an attacker chooses, so its length tells nothing.
func send(w http.ResponseWriter, r *http.Request, code int, data []byte) {
	h := w.Header()
	h.Set("Vary", "Accept-Encoding, Ralph-Have")
	if len(data) < 1<<10 || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.WriteHeader(code)
		_, _ = w.Write(data)
		return
	}
	h.Set("Content-Encoding", "gzip")
	w.WriteHeader(code)
	z := gzip.NewWriter(w)
	_, _ = io.Copy(z, bytes.NewReader(data))
	_ = z.Close()
}

// failed shows an error.
func (s *Server) failed(w http.ResponseWriter, r *http.Request, err error) {
	stale, isStale := errors.AsType[*StaleError](err)
	switch {
	case isStale:
		s.fail(w, r, http.StatusConflict, "This has been decided already.", stale.Happened)
	case errors.Is(err, ErrNotFound):
		s.fail(w, r, http.StatusNotFound, "Nothing is here.", "It may have been archived, or its repository is gone.")
	case errors.Is(err, context.Canceled):
	default:
		s.fail(w, r, http.StatusInternalServerError, "This cannot be shown.", text.Clip(text.Line(err.Error()), 500))
	}
}

// fail writes a page that tells what is wrong, or a line for the script of a page.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, code int, what, hint string) {
	if r.Header.Get("Ralph-Have") != "" {
		http.Error(w, what+" "+hint, code)
		return
	}
	p := page{Title: what, code: code, Parts: []part{{"problem", "problem", map[string]string{"What": what, "Hint": hint}}}}
	all, err := s.fragments(p)
	if err != nil {
		http.Error(w, what, code)
		return
	}
	s.write(w, r, p, all)
}
