package outbox_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"ralph/internal/notice"
	"ralph/internal/recovery"
	"ralph/internal/store/outbox"
)

// clock is a time that a test moves.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func box(t *testing.T) (*outbox.Box, *clock) {
	t.Helper()
	c := &clock{time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC)}
	b := outbox.New(t.TempDir(), c.Now, false)
	t.Cleanup(func() { b.Close() })
	return b, c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func entry(key string, targets ...string) outbox.Entry {
	return outbox.Entry{Notice: notice.Notice{Key: key, Run: "r", Event: notice.LimitHit, Title: key}, Targets: targets}
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	b, c := box(t)
	ctx := t.Context()
	if b.Exists() {
		t.Fatal("there is an outbox before anything was put in")
	}
	if seen, err := b.Seen(ctx); err != nil || seen.Begun {
		t.Fatalf("%+v, %v", seen, err)
	}
	run := outbox.Run{Kind: recovery.Loop, ID: "r"}
	must(t, b.Put(ctx, map[outbox.Run]int64{run: 3}, 7, []outbox.Entry{entry("a", "x", "y"), entry("b", "x")}))
	must(t, b.Put(ctx, map[outbox.Run]int64{run: 2}, 5, []outbox.Entry{entry("a", "x", "y", "z")}))
	if seen, err := b.Seen(ctx); err != nil || !seen.Begun || seen.Runs[run] != 3 || seen.Pos != 7 {
		t.Errorf("%+v, %v", seen, err)
	}
	waiting, err := b.Waiting(ctx, "x")
	must(t, err)
	if len(waiting) != 2 || waiting[0].Notice.Key != "a" || waiting[0].Notice.Title != "a" {
		t.Fatalf("%+v", waiting)
	}
	if z, _ := b.Waiting(ctx, "z"); len(z) != 0 {
		t.Error("a key that is known was told again")
	}
	must(t, b.Sent(ctx, "x", []int64{waiting[0].Num}))
	later := c.now.Add(time.Minute)
	must(t, b.Failed(ctx, "x", []int64{waiting[1].Num}, "HTTP 500", later))
	must(t, b.Drop(ctx, "y", []int64{waiting[0].Num}, "over"))
	waiting, err = b.Waiting(ctx, "x")
	must(t, err)
	if len(waiting) != 1 || waiting[0].Tries != 1 || !waiting[0].Next.Equal(later) || waiting[0].Error != "HTTP 500" {
		t.Errorf("%+v", waiting)
	}
	names, err := b.Targets(ctx)
	must(t, err)
	if strings.Join(names, " ") != "x" {
		t.Errorf("%v", names)
	}
	accounts, err := b.Accounts(ctx)
	must(t, err)
	if len(accounts) != 2 || accounts[0].Waiting != 1 || accounts[0].Sent != 1 || accounts[0].Error != "HTTP 500" || accounts[1].Dropped != 1 {
		t.Errorf("%+v", accounts)
	}
	must(t, b.Failed(ctx, "x", []int64{waiting[0].Num}, "HTTP 500", time.Time{}))
	if accounts, _ = b.Accounts(ctx); accounts[0].Failed != 1 || accounts[0].Waiting != 0 {
		t.Errorf("%+v", accounts)
	}
	if told, err := b.Told(ctx, "r", notice.LimitHit); err != nil || len(told) != 2 || told[0].Key != "a" {
		t.Errorf("%+v, %v", told, err)
	}
	c.now = c.now.Add(8 * 24 * time.Hour)
	must(t, b.Put(ctx, nil, 8, nil))
	if accounts, _ = b.Accounts(ctx); len(accounts) != 0 {
		t.Errorf("what is old stays: %+v", accounts)
	}
}

// TestLead: one delivers at a time; one that died loses it, also where the clock was set
// back.
func TestLead(t *testing.T) {
	t.Parallel()
	b, c := box(t)
	ctx := t.Context()
	must(t, b.Put(ctx, nil, 0, nil))
	try := func(who string, want bool) {
		t.Helper()
		if got, err := b.Lead(ctx, who, 20*time.Second); err != nil || got != want {
			t.Errorf("%s: %v, %v", who, got, err)
		}
	}
	try("a", true)
	try("b", false)
	try("a", true)
	c.now = c.now.Add(21 * time.Second)
	try("b", true)
	try("a", false)
	must(t, b.Resign(ctx, "b"))
	try("a", true)
	c.now = c.now.Add(-48 * time.Hour)
	try("b", true)
}

func TestButtons(t *testing.T) {
	t.Parallel()
	b, c := box(t)
	ctx := t.Context()
	must(t, b.Put(ctx, nil, 0, nil))
	of := outbox.Button{Kind: recovery.Plan, Run: "p", Question: "q1", Answer: "yes", Target: "phone", Until: c.now.Add(time.Hour)}
	token, err := b.Offer(ctx, of)
	must(t, err)
	if got, err := b.Button(ctx, token); err != nil || got != of || len(token) != 43 {
		t.Errorf("%+v, %v, %q", got, err, token)
	}
	for _, wrong := range []string{"", token[1:], token + "x", strings.ToLower(token)} {
		if _, err := b.Button(ctx, wrong); !errors.Is(err, outbox.ErrNoButton) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	first, err := b.Press(ctx, token)
	must(t, err)
	second, err := b.Press(ctx, token)
	must(t, err)
	if !first || second {
		t.Errorf("pressed %v, then %v", first, second)
	}
	must(t, b.Close())
	for _, file := range []string{b.Path(), b.Path() + "-wal"} {
		if data, err := os.ReadFile(file); err == nil && strings.Contains(string(data), token) {
			t.Errorf("%s holds the token", file)
		}
	}
}
