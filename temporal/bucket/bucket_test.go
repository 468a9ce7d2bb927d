package bucket

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"ralph/internal/engine/team"
)

// service is an S3 service of this process with one bucket, and its address.
func service(t *testing.T) (*s3mem.Backend, string) {
	t.Helper()
	objects := s3mem.New()
	ok(t, objects.CreateBucket("team"))
	srv := httptest.NewServer(gofakes3.New(objects).Server())
	t.Cleanup(srv.Close)
	return objects, of(srv.URL)
}

func of(endpoint string) string {
	return "s3://team/shop/files?region=eu-central-1&use_path_style=true&anonymous=true&endpoint=" + endpoint
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, address string, secret []byte) *Bucket {
	t.Helper()
	b, err := Open(address, secret)
	ok(t, err)
	return b
}

func secret() []byte {
	s := make([]byte, 32)
	_, _ = rand.Read(s)
	return s
}

// TestObjects is the contract of a place for the files of a team, kept by a folder too.
func TestObjects(t *testing.T) {
	t.Parallel()
	_, plain := service(t)
	_, sealed := service(t)
	for name, in := range map[string]team.Objects{
		"folder": team.Folder(t.TempDir()), "S3": opened(t, plain, nil), "S3 with a key": opened(t, sealed, secret()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			_, err := in.Read(ctx, "p/a/1.json")
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("read what is not there: %v", err)
			}
			names, err := in.List(ctx, "p/a")
			ok(t, err)
			if len(names) != 0 {
				t.Errorf("listed %q", names)
			}
			big := bytes.Repeat([]byte("0123456789abcdef"), 1<<19) // more than one part of an upload
			for key, content := range map[string]string{"p/a/1.json": "one", "p/a/2.json": "", "p/ab/1.json": "x", "blobs/0a/0a1": string(big)} {
				ok(t, in.Write(ctx, key, strings.NewReader(content)))
				got, err := in.Read(ctx, key)
				ok(t, err)
				if string(got) != content {
					t.Errorf("%s: read %d bytes of %d", key, len(got), len(content))
				}
				has, err := in.Has(ctx, key)
				if !has || err != nil {
					t.Errorf("%s: has %v, %v", key, has, err)
				}
			}
			ok(t, in.Write(ctx, "p/a/1.json", strings.NewReader("another")))
			got, err := in.Read(ctx, "p/a/1.json")
			if string(got) != "another" || err != nil {
				t.Errorf("replaced: %q, %v", got, err)
			}
			names, err = in.List(ctx, "p/a")
			slices.Sort(names)
			if !slices.Equal(names, []string{"1.json", "2.json"}) || err != nil {
				t.Errorf("listed %q, %v", names, err)
			}
			if has, err := in.Has(ctx, "blobs/0a/0a2"); has || err != nil {
				t.Errorf("has what is not there: %v, %v", has, err)
			}
			ok(t, in.Delete(ctx, "p/a/1.json"))
			if has, err := in.Has(ctx, "p/a/1.json"); has || err != nil {
				t.Errorf("deleted: has %v, %v", has, err)
			}
		})
	}
}

// TestFailedWrite: content that breaks off leaves nothing.
func TestFailedWrite(t *testing.T) {
	t.Parallel()
	_, address := service(t)
	for name, in := range map[string]team.Objects{"folder": team.Folder(t.TempDir()), "S3": opened(t, address, nil)} {
		broken := errors.New("broken")
		if err := in.Write(t.Context(), "a/b", io.MultiReader(strings.NewReader("some"), failing{broken})); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
		if has, err := in.Has(t.Context(), "a/b"); has || err != nil {
			t.Errorf("%s: has %v, %v", name, has, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestFilesOfALoop: what a loop left on one machine is there on another, through an object
// store, which with a key holds neither its content nor the digests of it.
func TestFilesOfALoop(t *testing.T) {
	t.Parallel()
	const text = "the output of an agent"
	sum := sha256.Sum256([]byte(text))
	digest := hex.EncodeToString(sum[:])
	for name, key := range map[string][]byte{"plain": nil, "with a key": secret()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects, address := service(t)
			one, two := t.TempDir(), t.TempDir()
			path := filepath.Join("attempts", "001", "agent.txt")
			ok(t, os.MkdirAll(filepath.Dir(filepath.Join(one, path)), 0o700))
			ok(t, os.WriteFile(filepath.Join(one, path), []byte(text), 0o600))
			files := func() *team.Files { return &team.Files{In: opened(t, address, key), Project: "shop"} }
			ok(t, files().Check(t.Context()))
			ok(t, files().Put(t.Context(), team.Run{ID: "a"}, 1, one))
			ok(t, files().Put(t.Context(), team.Run{ID: "a"}, 2, one))
			ok(t, files().Get(t.Context(), team.Run{ID: "a"}, two))
			got, err := os.ReadFile(filepath.Join(two, path))
			if string(got) != text || err != nil {
				t.Errorf("%q, %v", got, err)
			}
			inClear := 0
			for object, content := range stored(t, objects) {
				if !strings.HasPrefix(object, "shop/files/") {
					t.Errorf("%s is outside of the prefix", object)
				}
				if strings.Contains(content, text) || strings.Contains(content, "sha256") || strings.Contains(object, digest) {
					inClear++
				}
			}
			if key == nil && inClear == 0 || key != nil && inClear != 0 {
				t.Errorf("%d objects can be read", inClear)
			}
			if key != nil {
				other := &team.Files{In: opened(t, address, secret()), Project: "shop"}
				if err := other.Get(t.Context(), team.Run{ID: "a"}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "cannot be decrypted") {
					t.Errorf("with another key: %v", err)
				}
			}
		})
	}
}

func stored(t *testing.T, in *s3mem.Backend) map[string]string {
	t.Helper()
	all := map[string]string{}
	list, err := in.ListBucket("team", nil, gofakes3.ListBucketPage{})
	ok(t, err)
	for _, o := range list.Contents {
		got, err := in.GetObject("team", o.Key, nil)
		ok(t, err)
		content, err := io.ReadAll(got.Contents)
		ok(t, errors.Join(err, got.Contents.Close()))
		all[o.Key] = string(content)
	}
	return all
}

// TestForeignContent: an encrypted object that was put in the place of another one, or
// changed, is refused.
func TestForeignContent(t *testing.T) {
	t.Parallel()
	k, err := newKey(secret())
	ok(t, err)
	r, err := k.seal("p/a/1.json", strings.NewReader("text"))
	ok(t, err)
	sealed, err := io.ReadAll(r)
	ok(t, err)
	if got, err := k.open("p/a/1.json", sealed); string(got) != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1]++
	for key, content := range map[string][]byte{"p/b/1.json": sealed, "p/a/1.json": changed, "p/c": nil, "p/d": []byte("text in clear")} {
		if got, err := k.open(key, content); err == nil {
			t.Errorf("%s: %q was accepted", key, got)
		}
	}
}

// TestRefusals: what is wrong with an object store is said in words, without the address of
// the request.
func TestRefusals(t *testing.T) {
	answers := func(code int, body string) string {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(srv.Close)
		return srv.URL
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	denied := answers(403, `<Error><Code>InvalidAccessKeyId</Code><Message>no such key</Message></Error>`)
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(denied, "http://"))
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "sig=hush")
	t.Setenv("AZURE_STORAGE_ACCOUNT", "shop")
	t.Setenv("AZURE_STORAGE_PROTOCOL", "http")
	t.Setenv("AZURE_STORAGE_DOMAIN", strings.TrimPrefix(denied, "http://"))
	for name, c := range map[string]struct{ address, want string }{
		"away":        {of(gone.URL), "s3://team/shop/files does not answer: dial tcp"},
		"login":       {of(denied), "s3://team/shop/files refuses this login: InvalidAccessKeyId: no such key"},
		"no bucket":   {of(answers(404, `<Error><Code>NoSuchBucket</Code></Error>`)), "s3://team/shop/files is not there, or is hidden from this login: NoSuchBucket"},
		"full":        {of(answers(507, `<Error><Code>XMinioStorageFull</Code><Message>no space</Message></Error>`)), "s3://team/shop/files is full: XMinioStorageFull: no space"},
		"bad request": {of(answers(400, `<Error><Code>InvalidRequest</Code><Message>no</Message></Error>`)), "s3://team/shop/files refuses the request: InvalidRequest: no"},
		"a parameter": {"s3://team?region=x&regoin=y", "s3://team cannot be used:"},
		"Google":      {"gs://team/shop", "gs://team/shop is not there, or is hidden from this login: 403"},
		"Azure":       {"azblob://team/shop", "azblob://team/shop refuses this login: 403"},
	} {
		err := opened(t, c.address, nil).Write(t.Context(), "a/b", strings.NewReader("x"))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
		var of *Error
		if !errors.As(err, &of) {
			t.Errorf("%s: %T", name, err)
		}
	}
	if b, err := Open("ftp://host/x", nil); err == nil {
		t.Errorf("ftp: %s", b)
	}
}
