package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/loop"
)

func TestMemory(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	m := memory{dir: filepath.Join(t.TempDir(), "sandbox"), now: func() time.Time { return now }}
	facts := []string{"kernel", "user"}
	recalls := func(name string, facts ...string) bool {
		var flags []string
		ok := m.recall(name, facts, &flags)
		if ok && (len(flags) != 1 || flags[0] != "--x") {
			t.Errorf("recalled %q", flags)
		}
		return ok
	}
	if recalls("a", facts...) {
		t.Error("something is known that was never tried")
	}
	m.remember("a", facts, []string{"--x"})
	if !recalls("a", facts...) {
		t.Error("what worked is not known")
	}
	if recalls("b", facts...) || recalls("a", "kernel", "other") || recalls("a", "kernel") {
		t.Error("another trial, or other facts, are taken for the same")
	}
	for age, known := range map[time.Duration]bool{
		0: true, believed: true, believed + 1: false, -1: false, -24 * time.Hour: false, 365 * 24 * time.Hour: false,
	} {
		later := m
		later.now = func() time.Time { return now.Add(age) }
		var flags []string
		if got := later.recall("a", facts, &flags); got != known {
			t.Errorf("after %v: known %v", age, got)
		}
	}
	for _, text := range []string{"", "{", `{"facts":1}`, "\x00", `{"facts":"` + digest(facts) + `","at":"2026-01-02T03:04:05Z","found":{}}`} {
		if err := os.WriteFile(m.file("a"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if recalls("a", facts...) {
			t.Errorf("%q is believed", text)
		}
	}
	m.forget()
	if _, err := os.Stat(m.dir); !os.IsNotExist(err) {
		t.Errorf("forgotten, and still there: %v", err)
	}
}

// Without a directory, or with one that cannot be made, nothing is remembered and
// nothing fails.
func TestMemoryWithoutDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", filepath.Join(file, "below")} {
		m := memory{dir: dir, now: time.Now}
		m.remember("a", nil, "x")
		var s string
		if m.recall("a", nil, &s) {
			t.Errorf("%q: remembered", dir)
		}
		m.forget()
	}
}

// What a process found to work is believed by the next one, doubted once when it
// fails, and tried again then.
func TestCapabilitiesAreRemembered(t *testing.T) {
	dir, ctx := filepath.Join(t.TempDir(), "sandbox"), context.Background()
	layers := t.TempDir()
	first := &Capabilities{Env: os.Environ(), Memory: dir}
	found, rooms := first.Detect(ctx), first.Rooms(ctx, layers)
	if first.Doubt() {
		t.Error("what was tried just now is not remembered from before")
	}
	first = &Capabilities{Env: os.Environ(), Memory: dir}
	first.Detect(ctx)
	first.Rooms(ctx, layers)
	second := &Capabilities{Env: os.Environ(), Memory: dir}
	if got := second.Detect(ctx); got.Bubblewrap.Works != found.Bubblewrap.Works || got.Bubblewrap.Version != found.Bubblewrap.Version {
		t.Errorf("first %+v, then %+v", found.Bubblewrap, got.Bubblewrap)
	}
	if got := second.Rooms(ctx, layers); got != rooms {
		t.Errorf("first %+v, then %+v", rooms, got)
	}
	best := found.Bubblewrap.Works || rooms.Layered()
	if second.Doubt() != best {
		t.Error("what was remembered is not tried again when it fails")
	}
	if second.Doubt() {
		t.Error("doubted twice")
	}
	if got := second.Detect(ctx); got.Bubblewrap.Works != found.Bubblewrap.Works {
		t.Errorf("tried again: %+v", got.Bubblewrap)
	}
}

// What another HOME cannot change is not tried again: only whether it can be covered.
func TestLayersAreRememberedForEveryHome(t *testing.T) {
	dir, layers := t.TempDir(), t.TempDir()
	env := func(home string) []string { return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home} }
	first := &Capabilities{Env: env(t.TempDir()), Memory: dir}
	rooms := first.Rooms(t.Context(), layers)
	if rooms.Kind != loop.RoomOverlay || !rooms.Disk {
		t.Skipf("no layers here: %+v", rooms)
	}
	written := func(prefix string) time.Time {
		t.Helper()
		files, _ := filepath.Glob(filepath.Join(dir, prefix+"-*.json"))
		if len(files) != 1 {
			t.Fatalf("%d files of %s", len(files), prefix)
		}
		info, err := os.Stat(files[0])
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	before := map[string]time.Time{"layers": written("layers"), "home": written("home")}
	second := &Capabilities{Env: env(t.TempDir()), Memory: dir}
	if got := second.Rooms(t.Context(), layers); got != rooms {
		t.Errorf("first %+v, then %+v", rooms, got)
	}
	if !written("layers").Equal(before["layers"]) {
		t.Error("the layers were tried again")
	}
	if written("home").Equal(before["home"]) {
		t.Error("the other HOME was not tried")
	}
}
