//go:build unix

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ralph/internal/loop"
)

// enterFor records a loop that a session began.
func enterFor(t *testing.T, s *Store, id, session string) {
	t.Helper()
	st := loop.New(loop.Spec{ID: id, Mode: loop.AgentDriven, Session: session, Limits: loop.AgentDrivenLimits()}, clock())
	must(t, s.Enter(t.Context(), st, Admission{Max: 1000}))
}

// TestUnbound: whatever happens to the list of sessions and to the database, no session
// that began a loop counts as unbound; where the list is whole, all others do.
func TestUnbound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		dir := filepath.Join(t.TempDir(), "ralph")
		list, db := filepath.Join(dir, sessionsFile), filepath.Join(dir, "ralph.db")
		s := openTest(t, dir, Options{})
		bound, tried := map[string]bool{}, map[string]bool{}
		for n := range rapid.IntRange(1, 12).Draw(r, "steps") {
			session := fmt.Sprint("s", rapid.IntRange(0, 3).Draw(r, "session"))
			whole := true
			switch rapid.IntRange(0, 5).Draw(r, "step") {
			case 0: // a loop without a session
				enterFor(t, s, fmt.Sprint("loop-", n), "")
			case 1: // an append that was cut off
				torn := sessionLine(session)
				tried[session] = true
				f, err := os.OpenFile(list, os.O_WRONLY|os.O_APPEND, 0)
				if err != nil {
					continue
				}
				_, err = f.Write(torn[:rapid.IntRange(0, len(torn)-1).Draw(r, "bytes")])
				must(t, err)
				must(t, f.Close())
			case 2: // the list is lost
				_ = os.Remove(list)
				whole = false
			case 3: // the list is cut off by a power cut before it was durable
				if info, err := os.Stat(list); err == nil && len(bound) == 0 {
					must(t, os.Truncate(list, info.Size()/2))
				}
				whole = false
			case 4: // the database is put into another file
				must(t, s.Close())
				copyFile(t, db, db+".copy")
				copyFile(t, db+"-wal", db+".copy-wal")
				must(t, os.Rename(db+".copy", db))
				must(t, os.Rename(db+".copy-wal", db+"-wal"))
				_ = os.Remove(db + "-shm")
				s = openTest(t, dir, Options{})
				whole = false
			default:
				enterFor(t, s, fmt.Sprint("loop-", n), session)
				bound[session] = true
			}
			data, _ := os.ReadFile(list)
			head, err := s.listOf()
			must(t, err)
			whole = whole && strings.HasPrefix(string(data), head)
			for n := range 4 {
				session := fmt.Sprint("s", n)
				switch unbound := Unbound(dir, session); {
				case unbound && bound[session]:
					r.Fatalf("%s began a loop and counts as unbound", session)
				case whole && !unbound && !bound[session] && !tried[session]:
					r.Fatalf("%s began none and is not known as unbound:\n%s", session, data)
				}
			}
		}
	})
}

// copyFile copies a file that may be missing.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if os.IsNotExist(err) {
		data, err = nil, nil
	}
	must(t, err)
	must(t, os.WriteFile(to, data, 0o600))
}

// TestUnboundOfOld: a list does not outlast a migration, and the next loop begins a whole
// one.
func TestUnboundOfOld(t *testing.T) {
	t.Parallel()
	dir := oldDatabase(t, filepath.Join(t.TempDir(), "ralph"), "testdata/old/v9.sql")
	info, err := os.Lstat(filepath.Join(dir, "ralph.db"))
	must(t, err)
	head := fmt.Sprintf("ralph.sessions/v1 %d %s\n", len(schema()), identity(info))
	must(t, os.WriteFile(filepath.Join(dir, sessionsFile), []byte(head), 0o600))
	if !Unbound(dir, "s") {
		t.Fatal("the list of the test is not one")
	}
	s := openTest(t, dir, Options{})
	if Unbound(dir, "s") {
		t.Error("a list has outlasted the migration")
	}
	enterFor(t, s, "first", "s")
	if Unbound(dir, "s") || !Unbound(dir, "other") {
		t.Error("the loop of s began no whole list")
	}
}
