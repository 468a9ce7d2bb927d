package store

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
)

// TestIdentityFits: what a worker tells of itself stays within the server's limit. Accounts go
// first, then a part of the host's name.
func TestIdentityFits(t *testing.T) {
	t.Parallel()
	w := engine.WorkerProcess{ID: "1", Host: "box", Started: time.Unix(1, 0), Labels: []string{"gpu"}}
	for range engine.MostAccounts {
		w.Accounts = append(w.Accounts, engine.AccountTrouble{Label: strings.Repeat("ä", 80), Trouble: strings.Repeat("\"", 80), Until: time.Unix(2, 0)})
	}
	for _, c := range []struct {
		host     int
		accounts int
	}{{3, 2}, {500, 1}, {600, 0}, {2000, 0}} {
		w.Host = strings.Repeat("h", c.host)
		text := identityOf(w, 7)
		var got identity
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(text) > mostIdentity {
			t.Fatalf("%d bytes: %v", len(text), err)
		}
		if len(got.Accounts) != c.accounts || got.Beat != 7 || c.host < mostIdentity && got.Host != w.Host {
			t.Errorf("a name of %d bytes: %d accounts, a host of %d", c.host, len(got.Accounts), len(got.Host))
		}
	}
	w.Accounts = []engine.AccountTrouble{{Label: "claude, login", Trouble: "spent until", Until: time.Unix(2, 0)}, {Label: "accounts", Trouble: "their health cannot be read"}}
	w.Host = "box"
	var got identity
	if err := json.Unmarshal([]byte(identityOf(w, 1)), &got); err != nil || len(got.Accounts) != 2 || got.Accounts[0].Until != 2 || got.Accounts[1].Until != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
