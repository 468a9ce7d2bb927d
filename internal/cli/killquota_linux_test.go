package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"sync"
	"testing"
	"time"

	"ralph/internal/testing/tier"
)

var (
	killsWanted = flag.Int("kills", 0, "kill `N` processes of plans; 0: 1,000, or 20,000 with RALPH_SOAK=all")
	killsFor    = flag.Duration("kills-for", 0, "start no plan whose processes are killed after this `TIME`")
	killsRecord = flag.String("kills-record", "", "append a line of JSON for each plan to `FILE`, and count those that are there already")
)

// killQuota counts the kills of all plans.
type killQuota struct {
	sync.Mutex
	left int
	end  time.Time
	sum  killRecord
}

// killRecord is the result of a plan whose processes were killed.
type killRecord struct {
	Time    time.Time      `json:"time"`
	Plan    string         `json:"plan"`
	Passed  bool           `json:"passed"`
	Seconds int            `json:"seconds"`
	Home    string         `json:"home,omitzero"`
	Killed  map[string]int `json:"killed"`
	// Of all plans up to this one.
	Plans  int `json:"plans"`
	Failed int `json:"failed"`
	Kills  int `json:"kills"`
}

// newKillQuota continues the run that the record tells of.
func newKillQuota(t *testing.T) *killQuota {
	t.Helper()
	q := &killQuota{left: *killsWanted}
	switch {
	case q.left > 0:
	case tier.Every():
		q.left = 20_000
	default:
		q.left = 1000
	}
	if *killsFor > 0 {
		q.end = time.Now().Add(*killsFor)
	}
	data, err := os.ReadFile(*killsRecord)
	if *killsRecord != "" && err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		if err := json.Unmarshal(line, &q.sum); err != nil {
			t.Fatalf("%s: %v: %s", *killsRecord, err, line)
		}
	}
	q.left = max(0, q.left-q.sum.Kills)
	t.Cleanup(func() { t.Logf("%d kills in %d plans, %d of them failed", q.sum.Kills, q.sum.Plans, q.sum.Failed) })
	return q
}

// take reserves up to n kills for one plan; none when the time is over.
func (q *killQuota) take(n int) int {
	q.Lock()
	defer q.Unlock()
	if !q.end.IsZero() && time.Now().After(q.end) {
		return 0
	}
	n = min(n, q.left)
	q.left -= n
	return n
}

// add records a plan that has ended. Kills that found no process are left to the next
// plans.
func (q *killQuota) add(t *testing.T, k *killing, began time.Time) {
	q.Lock()
	defer q.Unlock()
	q.left += k.left
	s := &q.sum
	s.Time, s.Plan, s.Passed, s.Home, s.Killed = time.Now().UTC(), t.Name(), !t.Failed(), "", k.killed
	s.Seconds = int(time.Since(began).Seconds())
	s.Plans++
	if !s.Passed {
		s.Failed++
		s.Home = k.home
	}
	for _, n := range k.killed {
		s.Kills += n
	}
	line, err := json.Marshal(s)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%s", line)
	if *killsRecord == "" {
		return
	}
	f, err := os.OpenFile(*killsRecord, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Error(err)
	}
}
