package store

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"ralph/internal/engine"
)

// TestAnnounceRests: where the server is away, a worker announces itself once in a while only.
func TestAnnounceRests(t *testing.T) {
	t.Parallel()
	away, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := away.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := client.NewLazyClient(client.Options{HostPort: away.Addr().String(), Logger: Quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked []time.Time
	(&Project{client: c, o: Options{Project: "p"}}).Announce(ctx, func() engine.WorkerProcess {
		if asked = append(asked, time.Now()); len(asked) == 3 {
			cancel()
		}
		return engine.WorkerProcess{ID: "1"}
	})
	if took := asked[2].Sub(asked[0]); took < 2*repeatAfter {
		t.Errorf("three announcements within %s", took)
	}
}

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
	if err := json.Unmarshal([]byte(identityOf(w, 1)), &got); err != nil || len(got.Accounts) != 2 || !got.Accounts[0].Until.Equal(time.Unix(2, 0)) || !got.Accounts[1].Until.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
}
