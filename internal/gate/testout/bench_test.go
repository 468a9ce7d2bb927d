package testout

import (
	"bytes"
	"strings"
	"testing"
)

// The two shapes of big output: many ordinary lines, and lines that are cut.
func BenchmarkParse(b *testing.B) {
	for name, in := range map[string][]byte{
		"lines":   []byte(strings.Repeat("2026/11/20 17:36:27 request served path=/a/b status=200 in 12ms\n", 1<<14)),
		"short":   bytes.Repeat([]byte("y\n"), 1<<18),
		"long":    bytes.Repeat(append(bytes.Repeat([]byte("error x=1 "), 25_000), '\n'), 4),
		"spaces":  bytes.Repeat(append(bytes.Repeat([]byte(" "), 250_000), 'x', '\n'), 4),
		"go json": []byte(strings.Repeat(`{"Time":"2026-11-20T17:42:47Z","Action":"output","Package":"p","Test":"T","Output":"a line of output\n"}`+"\n", 1<<13)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				Parse(in)
			}
		})
	}
}
