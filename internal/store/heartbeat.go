package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"ralph/internal/cadence"
)

// beatFile shows that the process that holds a run is not stopped: its number
// grows every few seconds. It does not decide ownership, needs no disk, and is
// never read by an owner.
const beatFile = "beat"

// beatEvery leaves six of them in the 30 s after which an owner counts as
// stopped (package recovery).
const beatEvery = 5 * time.Second

// beat writes the heartbeat until the lease ends.
func (l *lease[S, E]) beat() {
	every := cadence.New(beatEvery)
	defer every.Stop()
	for n := 1; ; n++ {
		l.s.writeBeat(l.kind, l.id, fmt.Appendf(nil, "%d %d\n", l.epoch, n))
		select {
		case <-every.C:
			every.Next()
		case <-l.ctx.Done():
			return
		}
	}
}

// writeBeat replaces the file's first line in one write. One that fails is made
// up for by the next.
func (s *Store) writeBeat(k kind, id string, line []byte) {
	f, err := os.OpenFile(filepath.Join(s.runDir(k, id), beatFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteAt(line, 0)
}

// beatOf is the number that the owner with this epoch has come to; 0 is unknown.
func (s *Store) beatOf(k kind, id string, epoch int64) int64 {
	text, err := os.ReadFile(filepath.Join(s.runDir(k, id), beatFile))
	if err != nil {
		return 0
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	of, n, _ := bytes.Cut(line, []byte(" "))
	if at, err := strconv.ParseInt(string(of), 10, 64); err != nil || at != epoch {
		return 0
	}
	count, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil {
		return 0
	}
	return count
}
