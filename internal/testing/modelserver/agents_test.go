package modelserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// fake is an agent of one protocol, as small as one can be: it keeps its
// conversation and sends all of it each time.
type fake struct {
	name, path string
	// request is a body for what was said before, in the protocol's form.
	request func(said []any, stream bool) any
	// person and results are entries for that.
	person  func(text string) any
	results func(calls []called) []any
	// hear reads an answer's events, or the whole of one; it also gives the
	// entry of the answer itself.
	hear func(events []object) heard
}

type heard struct {
	words string
	calls []called
	// in, cached and out are tokens; in has no cached ones in it.
	in, cached, out float64
	entries         []any
}

type called struct {
	id, name string
	args     object
}

func fakes() []fake {
	return []fake{anthropicFake(), responsesFake(), chatFake(), geminiFake()}
}

// each runs a test for every protocol.
func each(t *testing.T, test func(*testing.T, fake)) {
	t.Parallel()
	for _, f := range fakes() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			test(t, f)
		})
	}
}

func start(t *testing.T, s Scene) *Server {
	t.Helper()
	srv, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	return srv
}

// post sends a request; a stream's events come back decoded.
// head is what stands above the body of an answer.
type head struct {
	StatusCode int
	Header     http.Header
}

func (f fake) post(ctx context.Context, url string, body any, stream bool) (head, []object, error) {
	text, _ := json.Marshal(body)
	path := f.path
	if f.name == "gemini" && !stream {
		path = strings.Replace(path, "stream", "", 1)
		path = strings.Replace(path, "GenerateContent", "generateContent", 1)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, strings.NewReader(string(text)))
	if err != nil {
		return head{}, nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return head{}, nil, err
	}
	defer resp.Body.Close()
	got := head{resp.StatusCode, resp.Header}
	if stream && got.StatusCode == http.StatusOK {
		events, err := events(resp.Body)
		return got, events, err
	}
	var whole object
	err = json.NewDecoder(resp.Body).Decode(&whole)
	return got, []object{whole}, err
}

func events(r io.Reader) (all []object, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, is := strings.CutPrefix(lines.Text(), "data: ")
		if !is || data == "[DONE]" {
			continue
		}
		var e object
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return all, fmt.Errorf("%q: %w", data, err)
		}
		all = append(all, e)
	}
	return all, lines.Err()
}

// work talks until no tool is called any more.
func (f fake) work(t *testing.T, url, prompt string, stream bool) []heard {
	t.Helper()
	said := []any{f.person(prompt)}
	var all []heard
	for range 10 {
		resp, events, err := f.post(t.Context(), url, f.request(said, stream), stream)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%v %v %v", resp, events, err)
		}
		h := f.hear(events)
		all = append(all, h)
		if len(h.calls) == 0 {
			return all
		}
		said = append(append(said, h.entries...), f.results(h.calls)...)
	}
	t.Fatal("it never ends")
	return nil
}

// at follows keys and numbers into JSON.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			o, _ := v.(object)
			v = o[p]
		case int:
			list, _ := v.([]any)
			if p >= len(list) {
				return nil
			}
			v = list[p]
		}
	}
	return v
}

func str(v any, path ...any) string    { s, _ := at(v, path...).(string); return s }
func num(v any, path ...any) float64   { n, _ := at(v, path...).(float64); return n }
func list(v any, path ...any) []any    { l, _ := at(v, path...).([]any); return l }
func decoded(text string) (out object) { _ = json.Unmarshal([]byte(text), &out); return out }
