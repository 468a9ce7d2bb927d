//go:build unix

package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func TestOpenMakesWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "common dir", "ralph")
	s := openTest(t, dir, Options{})
	for path, want := range map[string]os.FileMode{
		dir: 0o700 | os.ModeDir, filepath.Join(dir, "loops"): 0o700 | os.ModeDir, filepath.Join(dir, "ralph.db"): 0o600,
	} {
		fi, err := os.Lstat(path)
		must(t, err)
		if fi.Mode() != want {
			t.Errorf("%s has mode %v, want %v", path, fi.Mode(), want)
		}
	}
	create(t, s, "a")
	for _, name := range []string{"ralph.db-wal", "ralph.db-shm", "loops/a/owner.lock"} {
		fi, err := os.Lstat(filepath.Join(dir, name))
		must(t, err)
		if fi.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, fi.Mode())
		}
	}
}

func TestReadOnlyOfNothingIsEmptyAndMakesNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ralph")
	s := openTest(t, dir, Options{ReadOnly: true})
	got, err := s.Entries(t.Context(), Filter{})
	if err != nil || len(got) != 0 {
		t.Errorf("List = %v, %v", got, err)
	}
	if _, err := s.Read(t.Context(), "a"); !errors.Is(err, ErrNoLoop) {
		t.Errorf("Load: %v", err)
	}
	if _, err := s.Resolve(t.Context(), "a"); !errors.Is(err, ErrNoLoop) {
		t.Errorf("Resolve: %v", err)
	}
	if _, err := s.Create(t.Context(), newState("a"), Admission{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Create: %v", err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory was made: %v", err)
	}
	create(t, openTest(t, dir, Options{}), "a")
	if got, err := s.Entries(t.Context(), Filter{}); err != nil || len(got) != 1 {
		t.Errorf("a reader does not see the new database: %v, %v", got, err)
	}
}

func TestOpenRefusesAPlaceOthersCanChange(t *testing.T) {
	t.Parallel()
	tests := map[string]func(dir string) error{
		"symlink": func(dir string) error {
			if err := os.Mkdir(dir+"x", 0o700); err != nil {
				return err
			}
			return os.Symlink(dir+"x", dir)
		},
		"file":           func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"group writable": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770)) },
		"world writable": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o702)) },
	}
	if os.Geteuid() == 0 {
		tests["another user's"] = func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 12345, 12345))
		}
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "ralph")
			must(t, prepare(dir))
			_, err := Open(t.Context(), dir, Options{})
			if _, ok := errors.AsType[*UnsafeError](err); !ok {
				t.Errorf("Open: %v", err)
			}
		})
	}
}

func TestOpenWithHostilePaths(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "a?mode=memory", "a#b", "a%41b", "ü\nx", "\xff\xfe", "'\";--", "a&cache=shared", "file:x"} {
		dir := filepath.Join(t.TempDir(), name)
		s := openTest(t, dir, Options{})
		create(t, s, "a")
		if _, err := os.Lstat(filepath.Join(dir, "ralph.db")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// damaged puts bytes where the database should be.
func damaged(t *testing.T, data []byte) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ralph")
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "ralph.db"), data, 0o600))
	return dir
}

func TestOpenLeavesACorruptDatabaseAlone(t *testing.T) {
	t.Parallel()
	garbage := bytes.Repeat([]byte("no database "), 1000)
	torn := append([]byte("SQLite format 3\x00"), bytes.Repeat([]byte{0xff}, 8000)...)
	for name, data := range map[string][]byte{"garbage": garbage, "empty": {}, "torn": torn, "a page of zeros": make([]byte, 4096)} {
		for _, readOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, read only %v", name, readOnly), func(t *testing.T) {
				t.Parallel()
				dir := damaged(t, data)
				_, err := Open(t.Context(), dir, Options{ReadOnly: readOnly})
				if _, ok := errors.AsType[*CorruptError](err); !ok {
					t.Errorf("Open: %v", err)
				}
				sameBytes(t, filepath.Join(dir, "ralph.db"), data)
			})
		}
	}
}

func sameBytes(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("%s was changed", path)
	}
}

func TestOpenRefusesALogWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	dir := damaged(t, nil)
	must(t, os.Rename(filepath.Join(dir, "ralph.db"), filepath.Join(dir, "ralph.db-wal")))
	must(t, os.WriteFile(filepath.Join(dir, "ralph.db-wal"), []byte("frames"), 0o600))
	_, err := Open(t.Context(), dir, Options{})
	if _, ok := errors.AsType[*CorruptError](err); !ok {
		t.Errorf("Open: %v", err)
	}
}

// later is the schema of a ralph that does not exist yet.
func later() []string {
	return append(schema(), `ALTER TABLE loops ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'`, `CREATE TABLE moods (mood TEXT)`)
}

func TestOpenLeavesANewerDatabaseAlone(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "ralph")
		s, err := open(t.Context(), dir, Options{}, later())
		must(t, err)
		create(t, s, "a")
		// The newer ralph is killed: its last transactions are in the log only.
		db, err := os.ReadFile(filepath.Join(dir, "ralph.db"))
		must(t, err)
		log, err := os.ReadFile(filepath.Join(dir, "ralph.db-wal"))
		must(t, err)
		must(t, s.Close())
		must(t, os.WriteFile(filepath.Join(dir, "ralph.db"), db, 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "ralph.db-wal"), log, 0o600))

		_, err = Open(t.Context(), dir, Options{ReadOnly: readOnly})
		e, ok := errors.AsType[*NewerError](err)
		if !ok || e.Have != len(later()) || e.Know != len(schema()) {
			t.Fatalf("Open: %v", err)
		}
		sameBytes(t, filepath.Join(dir, "ralph.db"), db)
		sameBytes(t, filepath.Join(dir, "ralph.db-wal"), log)
	}
}

func TestMigrationCopiesFirst(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ralph")
	s, err := Open(t.Context(), dir, Options{})
	must(t, err)
	l, err := s.Create(t.Context(), newState("a"), Admission{})
	must(t, err)
	must(t, tick(t.Context(), l))
	must(t, l.Release(t.Context()))
	before, err := s.Read(t.Context(), "a")
	must(t, err)
	must(t, s.Close())

	s, err = open(t.Context(), dir, Options{}, later())
	must(t, err)
	after, err := s.Read(t.Context(), "a")
	must(t, err)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the migration changed the loop:\n%s", diff)
	}
	must(t, s.Close())
	for v := len(schema()); v < len(later()); v++ {
		name := fmt.Sprintf("ralph.db.before-v%d", v+1)
		fi, err := os.Lstat(filepath.Join(dir, name))
		must(t, err)
		if fi.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, fi.Mode())
		}
		if got := versionOf(t, filepath.Join(dir, name)); got != v {
			t.Errorf("%s has version %d", name, got)
		}
	}
}

func versionOf(t *testing.T, path string) (v int) {
	t.Helper()
	s := &Store{o: Options{}}
	db, err := s.connectTo(path, "ro")
	must(t, err)
	defer db.Close()
	must(t, db.QueryRow("PRAGMA user_version").Scan(&v))
	return v
}

func TestAnOldProcessCannotWriteAfterAMigration(t *testing.T) {
	t.Parallel()
	old, dir := fresh(t)
	must(t, create(t, old, "a").Release(t.Context()))
	s, err := open(t.Context(), dir, Options{}, later())
	must(t, err)
	defer s.Close()
	if err := old.Send(t.Context(), "a", Message{Kind: "steer"}); !as[*NewerError](err) {
		t.Error("a process of the old version wrote into the new schema")
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, create(t, s, "a").Release(t.Context()))
	_, err := open(t.Context(), dir, Options{}, append(schema(), `CREATE TABLE x (y); SELECT no_such_function()`))
	if err == nil {
		t.Fatal("a broken migration succeeded")
	}
	if got := versionOf(t, filepath.Join(dir, "ralph.db")); got != len(schema()) {
		t.Errorf("version %d", got)
	}
}

// TestPatience: a writer waits for a process that does not get on as long as it was
// told, and for others that commit six times as long.
func TestPatience(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return clock().Add(time.Duration(s) * time.Second) }
	p := patience{wait: 10 * time.Second, began: at(0), moved: at(0), mark: "a"}
	for _, step := range []struct {
		second int
		mark   string
		over   bool
	}{{9, "a", false}, {9, "b", false}, {18, "b", false}, {19, "b", true}, {20, "c", false}, {59, "d", false}, {60, "e", true}} {
		if got := p.over(at(step.second), step.mark); got != step.over {
			t.Errorf("after %d s with %s: over %v", step.second, step.mark, got)
		}
	}
}

// TestAnOwnerOutlastsAStoppedWriter: a process that stands still in a transaction does
// not end the runs of others.
func TestAnOwnerOutlastsAStoppedWriter(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	s.o.Wait = 20 * time.Millisecond
	l := create(t, s, "a")
	plan := takePlan(t, s, "p", 1)
	c := spawn(t, "locker", dir)
	c.want("locked")
	must(t, c.p.Signal(syscall.SIGSTOP))
	if err := s.Send(t.Context(), "a", Message{Kind: "pause"}); !as[*BusyError](err) {
		t.Fatalf("Send: %v", err)
	}
	done := make(chan error, 2)
	go func() { done <- tick(t.Context(), l) }()
	go func() { done <- plan.Commit(t.Context(), plan.State(), nil) }()
	select {
	case err := <-done:
		t.Fatalf("committed beside a stopped writer, or gave up: %v", err)
	case <-time.After(10 * s.o.Wait):
	}
	c.kill()
	must(t, <-done)
	must(t, <-done)
}

func TestBusyNamesTheHolder(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	create(t, s, "a")
	c := spawn(t, "locker", dir)
	c.want("locked")
	other := openTest(t, dir, Options{Wait: time.Second})
	err := other.Send(t.Context(), "a", Message{Kind: "pause"})
	e, ok := errors.AsType[*BusyError](err)
	if !ok || !strings.Contains(e.Holder, fmt.Sprint(c.p.Pid)) {
		t.Errorf("Send: %v, want the name of pid %d", err, c.p.Pid)
	}
	if _, err := other.Read(t.Context(), "a"); err != nil {
		t.Errorf("a reader waits for a writer: %v", err)
	}
}

func TestGivingUpWaiting(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	create(t, s, "a")
	c := spawn(t, "locker", dir)
	c.want("locked")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.Send(ctx, "a", Message{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Send: %v", err)
	}
}

func TestClosedStaysClosed(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, s.Close())
	if _, err := s.Entries(t.Context(), Filter{}); !errors.Is(err, errClosed) {
		t.Errorf("List: %v", err)
	}
}

func TestReadsAreSnapshots(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := create(t, s, "a")
	err := s.read(t.Context(), "look twice", func(tx *sql.Tx) error {
		before, err := loopRuns.entry(t.Context(), tx, "a")
		must(t, err)
		must(t, tick(t.Context(), l))
		after, err := loopRuns.entry(t.Context(), tx, "a")
		if before.Seq != after.Seq {
			t.Error("a snapshot moved")
		}
		return err
	})
	must(t, err)
}

func TestHostileIDs(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	for _, id := range []string{"", ".", "..", "../x", "a/b", "A", "a..b", "-a", "a.lock", "a\x00b", "ä", "a b", strings.Repeat("a", 65), "a%", "a_b*", "'; DROP TABLE loops; --"} {
		if l, err := s.Create(t.Context(), newState(id), Admission{}); err == nil && loop.ValidID(id) != nil {
			t.Errorf("Create(%q) succeeded", id)
			must(t, l.Release(t.Context()))
		}
		for what, err := range map[string]error{
			"Acquire": second(s.Acquire(t.Context(), id, true)), "Read": second(s.Read(t.Context(), id)),
			"Resolve": second(s.Resolve(t.Context(), id)), "Send": s.Send(t.Context(), id, Message{}),
			"Archive": s.Archive(t.Context(), id), "Remove": s.Remove(t.Context(), id),
			"Events": second(s.Events(t.Context(), id, 0, 0)),
		} {
			if loop.ValidID(id) != nil && !errors.Is(err, ErrNoLoop) {
				t.Errorf("%s(%q): %v", what, id, err)
			}
		}
	}
	files, err := os.ReadDir(filepath.Join(dir, "loops"))
	must(t, err)
	if len(files) != 0 {
		t.Errorf("left over: %v", files)
	}
	longest := strings.Repeat("a", 64)
	create(t, s, longest)
	if got, err := s.Resolve(t.Context(), longest); got != longest {
		t.Errorf("Resolve(64 letters) = %q, %v", got, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestPrepareWhereNothingCanBeWritten: that is no internal error.
func TestPrepareWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root can write everywhere")
	}
	above := t.TempDir()
	must(t, os.Chmod(above, 0o500))
	t.Cleanup(func() { must(t, os.Chmod(above, 0o700)) })
	err := Prepare(filepath.Join(above, "ralph"))
	if _, ok := errors.AsType[*ClosedError](err); !ok {
		t.Errorf("Prepare: %v", err)
	}
}
