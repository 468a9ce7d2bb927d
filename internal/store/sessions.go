package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ralph/internal/durable"
	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// The stop hook of every session asks after each turn whether the session began a loop,
// and most began none. The file sessions answers that without the database, which takes
// longer to open than the whole hook otherwise. Its first line names the database that it
// belongs to. Each further line is a digest of a session that began a loop at some time;
// one is added, durably, inside the transaction that records the loop. None is removed:
// a repair may give a loop back that had ended.
const sessionsFile = "sessions"

// Unbound reports whether the session certainly began no loop in the store of dir. It is
// false where that is not certain: only the database knows then.
func Unbound(dir, session string) bool {
	if found, err := place(dir, false); err != nil || !found {
		return false
	}
	listed, err := os.ReadFile(filepath.Join(dir, sessionsFile))
	if err != nil {
		return false
	}
	s := newStore(dir, "ralph.db", Options{}, schema())
	head, err := s.listOf()
	return err == nil && head != "" && bytes.HasPrefix(listed, []byte(head)) && !bytes.Contains(listed, sessionLine(session))
}

// sessionLine begins with the end of the line before it.
func sessionLine(session string) []byte {
	sum := sha256.Sum256([]byte(session))
	return []byte("\n" + hex.EncodeToString(sum[:16]) + "\n")
}

// listOf is the first line of the list that belongs to the database as it is; "" where
// none can. The file is not opened: that would end this process's locks on it.
func (s *Store) listOf() (string, error) {
	info, err := os.Lstat(s.dbPath())
	if err != nil {
		return "", err
	}
	id := identity(info)
	if id == "" {
		return "", nil
	}
	return fmt.Sprintf("ralph.sessions/v1 %d %s\n", len(s.schema), id), nil
}

// listSession adds the session of a new loop to the list, and begins the list where there
// is none. The caller writes the database, so no other process writes the list.
func (s *Store) listSession(ctx context.Context, tx *sql.Tx, st loop.State) error {
	path := filepath.Join(s.dir, sessionsFile)
	listed, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	head, err := s.listOf()
	if err != nil || head == "" {
		return err
	}
	var all []string
	if st.Mode == loop.AgentDriven && st.Session != "" {
		all = append(all, st.Session)
	}
	if bytes.HasPrefix(listed, []byte(head)) {
		if len(all) == 0 || bytes.Contains(listed, sessionLine(st.Session)) {
			return nil
		}
		return appendDurably(path, sessionLine(st.Session))
	}
	known, whole, err := knownSessions(ctx, tx)
	if err != nil || !whole {
		return errors.Join(err, s.forgetSessions())
	}
	list := []byte(head)
	for _, k := range append(all, known...) {
		list = append(list, sessionLine(k)...)
	}
	if len(list) == len(head) { // nothing is lost with it
		return os.WriteFile(path, list, 0o600)
	}
	return durable.Write(path, list)
}

// knownSessions are those of all loops. They are not whole while a damaged record may hide
// one, which a repair gives back.
func knownSessions(ctx context.Context, tx *sql.Tx) (all []string, whole bool, err error) {
	damaged := 0
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM loops WHERE NOT json_valid(summary)`).Scan(&damaged); err != nil || damaged > 0 {
		return nil, false, err
	}
	part := summaryPart("summary", "session")
	all, err = sqlrow.Column[string](ctx, tx, `SELECT DISTINCT `+part+` FROM loops WHERE mode = ? AND `+part+` <> ''`, loop.AgentDriven)
	return all, true, err
}

// appendDurably adds to a file. What a kill or a power cut leaves of an earlier call is
// a line of its own, since data begins with the end of one.
func appendDurably(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// forgetSessions removes the list durably.
func (s *Store) forgetSessions() error {
	switch err := os.Remove(filepath.Join(s.dir, sessionsFile)); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return durable.SyncDir(s.dir)
}
