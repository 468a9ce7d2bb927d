package project

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/engine/team"
)

// Address is where the loops of a team are: SCHEME://HOST:PORT/NAMESPACE?files=FILES.
type Address struct {
	Scheme, Host, Namespace string
	// Files is what all machines share, for prompts, output and evidence: the path of a
	// folder, or the address of an object store; "" is none.
	Files string
}

// bucketSchemes are those of the object stores.
var bucketSchemes = []string{"s3", "gs", "azblob"}

// bucketLetters are those of the name of a bucket or container.
const bucketLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// ParseAddress reads the address of an engine.
func ParseAddress(given string) (Address, error) { return ParseAddressOf("--engine", given) }

// ParseAddressOf reads the address that a flag has.
func ParseAddressOf(flag, given string) (Address, error) {
	wrong := func(what string) error {
		if strings.Contains(given, "@") { // it may have a password
			given = "…" + given[strings.LastIndex(given, "@"):]
		}
		return exit.UsageError(flag+" 'temporal://HOST:7233/NAMESPACE?files=/shared/folder', or files=s3://BUCKET/PREFIX", "%s %q: %s", flag, given, what)
	}
	u, err := url.Parse(given)
	switch {
	case err != nil:
		return Address{}, wrong("not an address")
	case u.Scheme != "temporal":
		return Address{}, wrong("not one of the engines: temporal")
	case u.Port() == "" || u.Hostname() == "":
		return Address{}, wrong("missing host or port")
	case u.User != nil || u.Fragment != "":
		return Address{}, wrong("a user or a fragment has no meaning here")
	}
	a := Address{Scheme: u.Scheme, Host: u.Host, Namespace: cmp.Or(strings.Trim(u.Path, "/"), "default")}
	if a.Files, err = filesOf(u); err != nil {
		return Address{}, wrong(err.Error())
	}
	return a, nil
}

// filesOf reads the parameter files. The address of an object store has parameters itself: it
// may be escaped, or be the rest of the line as it is.
func filesOf(u *url.URL) (string, error) {
	if rest, is := strings.CutPrefix(u.RawQuery, "files="); is && strings.Contains(rest, "://") {
		return rest, checkBucket(rest)
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", errors.New("not an address")
	}
	for name := range q {
		if name != "files" {
			return "", fmt.Errorf("unknown parameter %q", name)
		}
	}
	files := q.Get("files")
	switch {
	case strings.Contains(files, "://"):
		return files, checkBucket(files)
	case files != "" && !filepath.IsAbs(files):
		return "", errors.New("files: not an absolute path")
	}
	return files, nil
}

// checkBucket refuses what is not the address of an object store. One with a password would
// be recorded with the loops that move.
func checkBucket(files string) error {
	u, err := url.Parse(files)
	switch {
	case err != nil || strings.Trim(u.Host, bucketLetters) != "" || u.Host == "" || u.Fragment != "":
		return errors.New("files: not the address of an object store")
	case !slices.Contains(bucketSchemes, u.Scheme):
		return fmt.Errorf("files: %s is not one of: %s", u.Scheme, strings.Join(bucketSchemes, ", "))
	case u.User != nil:
		return errors.New("files: credentials belong in the environment")
	}
	return nil
}

// String returns the address as a user types it.
func (a Address) String() string {
	out := a.Scheme + "://" + a.Host + "/" + a.Namespace
	switch {
	case strings.Contains(a.Files, "://"):
		return out + "?files=" + a.Files
	case a.Files != "":
		return out + "?files=" + strings.ReplaceAll(url.QueryEscape(a.Files), "%2F", "/")
	}
	return out
}

// sharedFiles is where the machines of a team keep the files of loops; nil is nowhere. What
// an object store has is encrypted with the key; nil is none.
func (a *Opener) sharedFiles(at Address, key []byte) (team.Objects, error) {
	switch {
	case at.Files == "":
		return nil, nil
	case !strings.Contains(at.Files, "://"):
		return team.Folder(at.Files), nil
	}
	return a.Buckets(at.Files, key)
}
