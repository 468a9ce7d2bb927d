package proc

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A start request arrives byte for byte, and half of one is an error.
func FuzzStartRequest(f *testing.F) {
	f.Add("sh", "A=\xff\xfe", 3)
	f.Add("", "\x00\n=", 0)
	f.Add("x", "", 1000)
	f.Fuzz(func(t *testing.T, arg, entry string, cut int) {
		m := startRequest{Run: "r", Argv: toBytes([]string{arg, entry}), Env: toBytes([]string{entry}), Dir: []byte(arg), RunDir: []byte(entry)}
		var frame bytes.Buffer
		if err := sendStart(&frame, m); err != nil {
			t.Fatal(err)
		}
		whole := frame.Bytes()
		got, err := readStart(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(toStrings(m.Argv), toStrings(got.Argv)); d != "" || string(got.Env[0]) != entry ||
			string(got.Dir) != arg || string(got.RunDir) != entry {
			t.Errorf("got %+v for %+v", got, m)
		}
		if cut >= 0 && cut < len(whole) {
			if _, err := readStart(bytes.NewReader(whole[:cut])); err == nil {
				t.Errorf("%d of %d bytes were enough", cut, len(whole))
			}
		}
		readStart(bytes.NewReader([]byte(arg + entry))) // must not panic
	})
}
