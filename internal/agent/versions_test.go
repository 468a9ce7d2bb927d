package agent

import "testing"

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		r    Versions
		v    string
		want bool
	}{
		{Versions{"2.1", "2.1"}, "2.1.329", true},
		{Versions{"2.1", "2.1"}, "2.1", true},
		{Versions{"2.1", "2.1"}, "2.2.0", false},
		{Versions{"2.1", "2.1"}, "2.0.999", false},
		{Versions{"0.160", "0.169"}, "0.159.9", false},
		{Versions{"0.160", "0.169"}, "0.160.0-alpha.2", true},
		{Versions{"0.160", "0.169"}, "0.169.99", true},
		{Versions{"0.160", "0.169"}, "0.170.0", false},
		{Versions{"1.18.3", "1.18.33"}, "1.18.34", false},
		{Versions{"1.18.3", "1.18.33"}, "1.18.33", true},
		{Versions{"1", "1"}, "", false},
		{Versions{"1", "1"}, "latest", false},
	} {
		if got := tt.r.Include(tt.v); got != tt.want {
			t.Errorf("%s in %s: %v", tt.v, tt.r, got)
		}
	}
	for in, want := range map[string]string{
		"2.1.329 (Claude Code)": "2.1.329", "codex-cli 0.169.0\n": "0.169.0", "v1.2.3": "1.2.3", "": "", "no version": "",
		"GitHub Copilot CLI 1.0.102.": "1.0.102", "warning: x\ncodex-cli 0.169.0": "0.169.0", "(0.61.0)": "0.61.0", "1.2.3-beta.1": "1.2.3-beta.1",
	} {
		if got := VersionIn(in); got != want {
			t.Errorf("in %q: %q, want %q", in, got, want)
		}
	}
}
