// Package bucket keeps the files of a team in an object store: Amazon S3 and what speaks its
// protocol, Google Cloud Storage, or Azure Blob Storage. Credentials are those that the
// libraries of these services find: in the environment, in the files of their own programs,
// or of the machine that a process runs on.
package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // the address azblob://
	"gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob" // the address s3://
	"gocloud.dev/gcerrors"
	"gocloud.dev/gcp"
)

// How long one request may take: asking about an object, and moving the content of one.
const (
	askFor  = 30 * time.Second
	moveFor = 5 * time.Minute
)

// Bucket is the part of an object store below a prefix (team.Objects). It connects with its
// first request.
type Bucket struct {
	// place names it: SCHEME://BUCKET/PREFIX.
	place, prefix string
	address       *url.URL
	// key encrypts all content; nil is none.
	key *key

	mu     sync.Mutex
	bucket *blob.Bucket
}

// Open returns the objects at an address SCHEME://BUCKET/PREFIX?PARAMETERS, where the
// parameters are those of gocloud.dev/blob. All content is encrypted with the secret of 32
// bytes; nil is none. No request is made.
func Open(address string, secret []byte) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	b := &Bucket{prefix: strings.Trim(u.Path, "/")}
	if b.prefix != "" {
		b.prefix += "/"
	}
	b.place = strings.TrimSuffix(u.Scheme+"://"+u.Host+"/"+b.prefix, "/")
	if !blob.DefaultURLMux().ValidBucketScheme(u.Scheme) {
		return nil, fmt.Errorf("%s is not an object store that ralph knows", b.place)
	}
	u.Path = ""
	b.address = u
	if secret != nil {
		b.key, err = newKey(secret)
	}
	return b, err
}

func open(ctx context.Context, u *url.URL) (*blob.Bucket, error) {
	if u.Scheme == gcsblob.Scheme {
		return openGoogle(ctx, u)
	}
	return blob.DefaultURLMux().OpenBucketURL(ctx, u)
}

// openGoogle does what the library's own opener does, which prints to standard output where
// there are no credentials.
func openGoogle(ctx context.Context, u *url.URL) (*blob.Bucket, error) {
	client := gcp.NewAnonymousHTTPClient(gcp.DefaultTransport())
	if os.Getenv("STORAGE_EMULATOR_HOST") == "" {
		login, err := gcp.DefaultCredentials(ctx)
		if err != nil {
			return nil, err
		}
		if client, err = gcp.NewHTTPClient(gcp.DefaultTransport(), gcp.CredentialsTokenSource(login)); err != nil {
			return nil, err
		}
	}
	return (&gcsblob.URLOpener{Client: client}).OpenBucketURL(ctx, u)
}

func (b *Bucket) String() string { return b.place }

// at is the bucket and the name of an object.
func (b *Bucket) at(ctx context.Context, key string) (*blob.Bucket, string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bucket == nil {
		// What the libraries keep for their credentials outlives this request.
		opened, err := open(context.WithoutCancel(ctx), b.address)
		if err != nil {
			return nil, "", b.failed(err)
		}
		b.bucket = opened
	}
	return b.bucket, b.prefix + b.key.name(key), nil
}

// Write stores the content once all of it has arrived.
func (b *Bucket) Write(ctx context.Context, key string, content io.Reader) error {
	ctx, cancel := context.WithTimeout(ctx, moveFor)
	defer cancel()
	in, name, err := b.at(ctx, key)
	if err != nil {
		return err
	}
	if content, err = b.key.seal(key, content); err != nil {
		return err
	}
	// A writer of the library races with itself where Azure refuses the content.
	return b.failed(in.Upload(ctx, name, content, &blob.WriterOptions{ContentType: "application/octet-stream"}))
}

func (b *Bucket) Read(ctx context.Context, key string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, moveFor)
	defer cancel()
	in, name, err := b.at(ctx, key)
	if err != nil {
		return nil, err
	}
	content, err := in.ReadAll(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, &fs.PathError{Op: "read", Path: b.place + "/" + key, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, b.failed(err)
	}
	return b.key.open(key, content)
}

func (b *Bucket) Has(ctx context.Context, key string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	in, name, err := b.at(ctx, key)
	if err != nil {
		return false, err
	}
	has, err := in.Exists(ctx, name)
	return has, b.failed(err)
}

func (b *Bucket) List(ctx context.Context, folder string) (names []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	in, name, err := b.at(ctx, folder)
	if err != nil {
		return nil, err
	}
	below := name + "/"
	all := in.List(&blob.ListOptions{Prefix: below, Delimiter: "/"})
	for {
		o, err := all.Next(ctx)
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, b.failed(err)
		}
		names = append(names, strings.TrimPrefix(o.Key, below))
	}
}

func (b *Bucket) Delete(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	in, name, err := b.at(ctx, key)
	if err != nil {
		return err
	}
	return b.failed(in.Delete(ctx, name))
}
