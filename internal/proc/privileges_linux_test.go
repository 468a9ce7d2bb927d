package proc

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ralph/internal/testing/tier"
)

// No process under Landlock, not even root's, reads the environment of one outside.
func TestLandlockHidesEnvironments(t *testing.T) {
	t.Parallel()
	if LandlockABI() < 3 {
		tier.SkipLacking(t, "Landlock")
	}
	victim := exec.Command("sleep", "600")
	victim.Env = append(os.Environ(), "SECRET=hush")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = victim.Process.Kill(); _ = victim.Wait() })
	script := fmt.Sprintf("tr '\\0' '\\n' </proc/%d/environ; grep -i capeff /proc/self/status; tr '\\0' '\\n' </proc/self/environ", victim.Process.Pid)
	var out bytes.Buffer
	s := spec(t, "sh", "-c", script)
	s.Dir = t.TempDir()
	s.Sandbox, s.Stdout, s.Env = &Sandbox{Landlock: &LandlockRules{Dirs: []string{s.Dir}, Files: []string{"/dev/null"}}}, &out, append(os.Environ(), "OWN=seen")
	if e := wait(t, start(t, s)); !e.OK() {
		t.Fatalf("%+v", e)
	}
	if strings.Contains(out.String(), "hush") || !strings.Contains(out.String(), "OWN=seen") {
		t.Errorf("%s", &out)
	}
}
