package project

import (
	"strings"
	"testing"

	"ralph/internal/cli/exit"
)

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]Address{
		"temporal://host:7233":                                                       {"temporal", "host:7233", "default", ""},
		"temporal://127.0.0.1:7233/shop":                                             {"temporal", "127.0.0.1:7233", "shop", ""},
		"temporal://[::1]:7233/shop/?files=/mnt/team":                                {"temporal", "[::1]:7233", "shop", "/mnt/team"},
		"temporal://h:7233?files=s3://team/shop?region=x&endpoint=http://minio:9000": {"temporal", "h:7233", "default", "s3://team/shop?region=x&endpoint=http://minio:9000"},
		"temporal://h:7233?files=gs%3A%2F%2Fteam%2Fshop%3Funiverse_domain%3Dx":       {"temporal", "h:7233", "default", "gs://team/shop?universe_domain=x"},
	} {
		got, err := ParseAddress(given)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", given, got, err)
		}
		if again, err := ParseAddress(got.String()); err != nil || again != got {
			t.Errorf("%s: printed as %s", given, got)
		}
	}
	for _, given := range []string{
		"", "host:7233", "https://host:7233/x", "temporal://host", "temporal://:7233", "temporal://u:p@host:7233/x",
		"temporal://host:7233/x?files=relative", "temporal://host:7233/x?flies=/a", "temporal://host:port/x",
		"temporal://host:7233/x?files=ftp://host/x", "temporal://host:7233/x?files=s3://", "temporal://host:7233/x?files=s3://key:secret@team/shop",
		"temporal://host:7233/x?other=1&files=s3://team",
		"temporal://host:7233/x?files=s3://team&region=x",
	} {
		if got, err := ParseAddress(given); err == nil || exit.Classify(err).Code != exit.Usage {
			t.Errorf("%q: %+v, %v", given, got, err)
		}
		if _, err := ParseAddress(given); strings.Contains(err.Error(), "secret") {
			t.Errorf("a password is printed: %v", err)
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
