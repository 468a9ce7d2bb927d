package worker

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/sandbox/room"
)

// view collects the mounts of a room.
type view struct {
	memory  bool
	scratch string
	spec    room.Spec
	err     error
}

// layer covers a directory; upper keeps the changes, "" discards them.
func (v *view) layer(at, upper string, from ...string) {
	if upper == "" && !v.memory {
		upper = filepath.Join(v.scratch, fmt.Sprint(len(v.spec.Mounts)))
	}
	if upper != "" {
		v.err = cmp.Or(v.err, os.MkdirAll(upper, 0o700))
	}
	v.mount(room.Mount{Kind: room.Overlay, At: at, From: from, Upper: upper})
}

// through shows a directory as it is, below a layer.
func (v *view) through(path string) {
	v.mount(room.Mount{Kind: room.Bind, At: path, From: []string{path}})
}

func (v *view) readOnly(path string) {
	if isDir(path) {
		v.mount(room.Mount{Kind: room.ReadOnly, At: path, From: []string{path}})
	}
}

func (v *view) mount(m room.Mount) {
	at, err := filepath.EvalSymlinks(m.At)
	switch {
	case err == nil:
		m.At = at
	case m.Optional: // removed meanwhile
		return
	default:
		v.err = cmp.Or(v.err, err)
	}
	for i, from := range m.From {
		if r, err := filepath.EvalSymlinks(from); err == nil {
			m.From[i] = r
		}
	}
	v.spec = v.spec.With(m)
}
