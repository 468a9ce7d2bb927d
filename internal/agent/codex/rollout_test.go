package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// record is the end of a session's record of version 0.169.
const record = `{"type":"event_msg","payload":{"type":"token_count","info":{},"rate_limits":{"primary":{"used_percent":5,"window_minutes":300,"resets_at":1795444000}}}}
{"type":"event_msg","payload":{"type":"token_count","info":{},"rate_limits":{"limit_id":"codex","primary":{"used_percent":82.5,"window_minutes":300,"resets_at":1795444223},"secondary":{"used_percent":12.0,"window_minutes":10080,"resets_at":1795527023},"credits":null}}}
{"type":"event_msg","payload":{"type":"token_count","info":{},"rate_limits":null}}
{"type":"response_item","payload":{"type":"message","rate_limits":{"primary":{"used_percent":99,"window_minutes":300}}}}
`

func TestWindowsOfASession(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "sessions", "2026", "11", "23")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(session, text string) {
		if err := os.WriteFile(filepath.Join(dir, "rollout-2026-11-23T13-30-22-"+session+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("whole", record)
	write("long", strings.Repeat(`{"type":"x"}`+"\n", 200_000)+record)
	write("other", strings.ReplaceAll(record, "82.5", `"many"`))
	want := []loop.Window{
		{Name: "5-hour", Used: 82.5, ResetsAt: time.Unix(1795444223, 0).UTC()},
		{Name: "7-day", Used: 12, ResetsAt: time.Unix(1795527023, 0).UTC()},
	}
	for session, want := range map[string][]loop.Window{
		"whole": want, "long": want, "other": want[1:], "absent": nil, "": nil, "../whole": nil,
	} {
		if d := cmp.Diff(want, windows([]string{"CODEX_HOME=" + home}, session)); d != "" {
			t.Errorf("%q (-want +got):\n%s", session, d)
		}
	}
}
