//go:build linux || darwin

package proc

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchmarkSpawn is one no-op child, plain and supervised.
func BenchmarkSpawn(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	// The shim's own start, which no protocol can save.
	b.Run("self", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command(self(), roleArg, "nothing").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("supervised", func(b *testing.B) {
		s, dir := spec(b, "true"), b.TempDir()
		for i := 0; b.Loop(); i++ {
			s.RunDir = filepath.Join(dir, strconv.Itoa(i))
			if e := wait(b, start(b, s)); !e.OK() {
				b.Fatalf("%+v", e)
			}
		}
	})
}

// BenchmarkFlood is a child that writes as fast as it can into a Capture.
func BenchmarkFlood(b *testing.B) {
	const size = 1 << 30
	b.SetBytes(size)
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		s := spec(b, roleArgv("flood", strconv.Itoa(size))...)
		c, err := NewCapture(filepath.Join(dir, strconv.Itoa(i)), 0)
		if err != nil {
			b.Fatal(err)
		}
		s.Stdout = c
		wait(b, start(b, s))
		if stored, err := c.Close(); err != nil || stored.Bytes != size {
			b.Fatal(stored, err)
		}
	}
}
