//go:build server

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// TestFilesInABucket: evidence travels through an object store. While that is full, the work
// of a loop waits, and is then recorded once; while it is away, commands show what they have.
func TestFilesInABucket(t *testing.T) {
	s := newScene(t)
	objects := s3mem.New()
	if err := objects.CreateBucket("team"); err != nil {
		t.Fatal(err)
	}
	var full atomic.Bool
	store := gofakes3.New(objects).Server()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if full.Load() {
			w.WriteHeader(http.StatusInsufficientStorage)
			_, _ = io.WriteString(w, "<Error><Code>XMinioStorageFull</Code><Message>no space</Message></Error>")
			return
		}
		store.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	s.engine, _, _ = strings.Cut(s.engine, "?")
	s.engine += "?files=s3://team/shop?region=x&anonymous=true&use_path_style=true&endpoint=" + srv.URL

	if out := s.ralph("a", 0, "worker", "doctor", "--repo", s.remote(), "--json"); !strings.Contains(out, "s3://team/shop: files can be written") {
		t.Errorf("doctor: %s", out)
	}
	s.worker("one")
	s.start()
	s.until("the agent works", s.exists("started"))
	full.Store(true)
	s.write("go", "")
	s.until("the work waits", func() bool {
		return strings.Contains(s.log("one"), "s3://team/shop is full")
	})
	if out := s.ralph("a", 0, "logs", "make"); strings.Contains(out, "agent_ended") {
		t.Errorf("recorded before its files were published:\n%s", out)
	}
	full.Store(false)
	s.ralph("a", 0, "wait", "make")
	if out := s.ralph("a", 0, "logs", "make"); strings.Count(out, "  agent_ended") != 1 || strings.Contains(out, "interrupted") {
		t.Errorf("%s", out)
	}
	if out := s.ralph("b", 0, "logs", "make", "--agent"); !strings.Contains(out, "state-one") {
		t.Errorf("the output of the agent in another clone: %s", out)
	}
	srv.Close()
	if out := s.ralph("b", 0, "show", "make"); !strings.Contains(out, "s3://team/shop does not answer") || !strings.Contains(out, "passed") {
		t.Errorf("shown while the object store is away: %s", out)
	}
	if out := s.ralph("a", 69, "worker", "doctor", "--repo", s.remote()); !strings.Contains(out, "s3://team/shop does not answer") {
		t.Errorf("doctor: %s", out)
	}
}
