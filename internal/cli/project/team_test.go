package project

import (
	"testing"

	"ralph/internal/cli/exit"
)

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]Address{
		"temporal://host:7233":                        {"temporal", "host:7233", "default", ""},
		"temporal://127.0.0.1:7233/shop":              {"temporal", "127.0.0.1:7233", "shop", ""},
		"temporal://[::1]:7233/shop/?files=/mnt/team": {"temporal", "[::1]:7233", "shop", "/mnt/team"},
	} {
		if got, err := ParseAddress(given); err != nil || got != want {
			t.Errorf("%s: %+v, %v", given, got, err)
		}
	}
	for _, given := range []string{
		"", "host:7233", "https://host:7233/x", "temporal://host", "temporal://:7233", "temporal://u:p@host:7233/x",
		"temporal://host:7233/x?files=relative", "temporal://host:7233/x?flies=/a", "temporal://host:port/x",
	} {
		if got, err := ParseAddress(given); err == nil || exit.Classify(err).Code != exit.Usage {
			t.Errorf("%q: %+v, %v", given, got, err)
		}
	}
}

// TestRemoteName: machines that reach one repository in different ways agree about its
// name.
func TestRemoteName(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"/srv/git/Shop.git", "/srv/git/shop", "file:///srv/git/shop.git/", "git@host:shop.git", "git@host:team/shop.git",
		"ssh://git@host:22/team/shop.git", "https://host/team/shop",
	} {
		if got := remoteName(address); got != "shop" {
			t.Errorf("%s: %q", address, got)
		}
	}
}

// TestTeamName: repositories of one name differ by their first commit; a name that cannot
// be one on the server is refused.
func TestTeamName(t *testing.T) {
	t.Parallel()
	const first = "0123456789abcdef0123456789abcdef01234567"
	if got, err := teamName("git@host:team/Shop.git", first); err != nil || got != "shop-0123456789ab" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := teamName("git@host:team/my shop.git", first); err == nil || exit.Classify(err).Code != exit.Usage {
		t.Errorf("%q, %v", got, err)
	}
}
