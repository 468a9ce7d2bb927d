package proc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"ralph/internal/testing/tier"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// noise returns n arbitrary bytes.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

// last and first are the ends of b, at most n bytes.
func last(b []byte, n int) []byte  { return b[max(0, len(b)-n):] }
func first(b []byte, n int) []byte { return b[:min(n, len(b))] }

// expected is what the file should hold.
func expected(all []byte, limit int) []byte {
	if len(all) <= limit {
		return all
	}
	atEnd := min(tailSize, limit/2)
	mark := fmt.Sprintf("\n[... %d bytes truncated ...]\n", len(all)-limit)
	return append(append(append([]byte{}, all[:limit-atEnd]...), mark...), last(all, atEnd)...)
}

func TestCaptureEdges(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	for _, size := range []int{
		0, 1, headSize - 1, headSize, headSize + 1, tailSize - 1, tailSize, tailSize + 1,
		limit - tailSize, limit - tailSize + 1, limit - 1, limit, limit + 1, limit + tailSize, 3*limit + 7,
	} {
		for _, chunk := range []int{1021, pumpSize, 4 * limit} {
			t.Run(fmt.Sprint(size, "by", chunk), func(t *testing.T) {
				t.Parallel()
				checkCapture(t, noise(size), limit, func(int) int { return chunk })
			})
		}
	}
}

type failer interface {
	Errorf(string, ...any)
	Fatal(...any)
}

func checkCapture(t failer, all []byte, limit int, next func(left int) int) {
	dir, err := os.MkdirTemp("", "capture")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "log")
	c, err := NewCapture(path, int64(limit))
	if err != nil {
		t.Fatal(err)
	}
	for rest := all; len(rest) > 0; {
		n := min(len(rest), next(len(rest)))
		if m, err := c.Write(rest[:n]); m != n || err != nil {
			t.Errorf("write gave %d, %v", m, err)
		}
		rest = rest[n:]
	}
	s, err := c.Close()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, expected(all, limit)) {
		t.Errorf("the file of %d bytes has other content", len(got))
	}
	sum := sha256.Sum256(got)
	want := Stored{Bytes: int64(len(all)), Size: int64(len(got)), SHA256: hex.EncodeToString(sum[:]), Truncated: len(all) > limit}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("stored (-want +got):\n%s", d)
	}
	if !bytes.Equal(c.Head(), first(all, headSize)) || !bytes.Equal(c.Tail(), last(all, tailSize)) {
		t.Errorf("head or tail differ")
	}
}

func TestCaptureAnyWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 900_000).Draw(t, "limit")
		size := rapid.IntRange(0, 1_500_000).Draw(t, "size")
		checkCapture(t, noise(size), limit, func(left int) int {
			return rapid.IntRange(1, max(1, left)).Draw(t, "write")
		})
	})
}

// A link that an agent put in the place of the log is not followed.
func TestCaptureFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	precious, path := filepath.Join(dir, "precious"), filepath.Join(dir, "log")
	os.WriteFile(precious, []byte("keep"), 0o600)
	if err := os.Symlink(precious, path); err != nil {
		tier.SkipLacking(t, "symbolic links", err)
	}
	c, err := NewCapture(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Write([]byte("log"))
	c.Close()
	if got, _ := os.ReadFile(precious); string(got) != "keep" {
		t.Errorf("got %q", got)
	}
}

// A full disk must not disturb the child, and must be reported.
func TestCaptureDiskFails(t *testing.T) {
	t.Parallel()
	c, err := NewCapture(filepath.Join(t.TempDir(), "log"), 0)
	if err != nil {
		t.Fatal(err)
	}
	c.Write([]byte("one"))
	c.file.Close()
	for range 2 {
		if n, err := c.Write([]byte("two")); n != 3 || err != nil {
			t.Errorf("write gave %d, %v", n, err)
		}
	}
	if s, err := c.Close(); err == nil || s.Bytes != 9 || s.Size != 3 {
		t.Errorf("got %+v, %v", s, err)
	}
	if got := string(c.Tail()); got != "onetwotwo" {
		t.Errorf("tail %q", got)
	}
}

// Two streams into one Capture, and a reader beside them.
func TestCaptureShared(t *testing.T) {
	t.Parallel()
	c, err := NewCapture(filepath.Join(t.TempDir(), "log"), 0)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 500 {
				c.Write([]byte("0123456789"))
				c.Tail()
				c.Head()
			}
		})
	}
	all.Wait()
	if s, err := c.Close(); err != nil || s.Size != 20_000 || c.Size() != 20_000 {
		t.Errorf("got %+v, %v", s, err)
	}
}
