package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/notice"
	"ralph/internal/quiet"
)

func userFile(text string) Sources {
	return Sources{User: &Source{Name: "config.yaml", Data: []byte("version: 1\n" + text)}}
}

func TestNotifyTargets(t *testing.T) {
	t.Parallel()
	r, err := Resolve(userFile(`notify:
  debounce: 2s
  answer_url: https://ralph.example.org
  targets:
    phone: {to: ntfy://ntfy.sh/secret-topic, events: [question, dispute], quiet_hours: "22:00-07:00"}
    hook: {to: webhook+https://example.org/x, secret: $HOOK_KEY, events: all}
    desk: {to: "desktop:"}
`))
	if err != nil {
		t.Fatal(err)
	}
	night, _ := quiet.Parse("22:00-07:00")
	want := []Target{
		{Name: "phone", To: "ntfy://ntfy.sh/secret-topic", Events: []notice.Kind{notice.Question, notice.Dispute}, Quiet: night},
		{Name: "hook", To: "webhook+https://example.org/x", Secret: "$HOOK_KEY", Events: notice.Kinds()},
		{Name: "desk", To: "desktop:"},
	}
	if diff := cmp.Diff(want, r.NotifyTargets(), cmp.AllowUnexported(quiet.Hours{}), cmp.Comparer(func(a, b quiet.Hours) bool {
		at := time.Date(2026, 11, 23, 23, 0, 0, 0, time.UTC)
		return a.Contains(at) == b.Contains(at)
	})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"HOOK_KEY"}, r.NotifyVariables()); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	if r.NotifyDebounce() != 2*time.Second {
		t.Errorf("debounce %s", r.NotifyDebounce())
	}
	for _, v := range r.Values() {
		if strings.Contains(v.Value, "secret-topic") || strings.Contains(v.Value, "example.org/x") {
			t.Errorf("%s shows its address: %s", v.Key, v.Value)
		}
	}
}

func TestNotifyRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"no address":       {"targets: {x: {events: all}}", "the address is missing"},
		"a word":           {"targets: {x: {to: phone}}", "this is no address"},
		"signed elsewhere": {"targets: {x: {to: 'bell:', secret: whsec_x}}", "only a webhook is signed"},
		"hours":            {"targets: {x: {to: 'bell:', quiet_hours: nights}}", "not a range of hours"},
		"in the clear":     {"answer_url: http://ralph.example.org", "in the clear"},
	} {
		_, err := Resolve(userFile("notify: {" + c[0] + "}\n"))
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", name, err, c[1])
		}
	}
	for _, ok := range []string{"http://127.0.0.1:7878", "http://192.168.1.5:7878", "https://x.example.org", "http://[::1]:1"} {
		if _, err := Resolve(userFile("notify: {answer_url: '" + ok + "'}\n")); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
}
