package gate

import (
	"bytes"
	"strings"
	"testing"
)

// What the reading of output costs, beside the pipe that carries it.
func BenchmarkSink(b *testing.B) {
	for name, in := range map[string][]byte{
		"log":   []byte(strings.Repeat("2026/11/20 17:36:27 request served path=/a/b status=200 in 12ms\n", 1<<14)),
		"empty": bytes.Repeat([]byte("y\n"), 1<<19),
		"line":  bytes.Repeat([]byte("x"), 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				s := newSink()
				_, _ = s.Write(in)
			}
		})
	}
}
