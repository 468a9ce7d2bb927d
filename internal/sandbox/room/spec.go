package room

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"fmt"
)

// Spec is a view. Paths are absolute, without links.
type Spec struct {
	// Scratch is an empty directory for the discarded layers; it is hidden.
	Scratch string
	// Memory is how many bytes the discarded layers may hold; 0 is an eighth of the
	// machine's memory. Writing more fails with "no space left on device".
	Memory int64
	Mounts []Mount
	// Over are made last, From what the others show. One whose At is gone is left out.
	Over []Mount
	// Tree is a directory of the view that the supervisor gets a descriptor of, so
	// that it can read what the process left there; "" is none.
	Tree string
	// Watch are files of the tree, from its root, whose opening is reported (Watcher).
	Watch []string
}

// Kind of a mount.
type Kind int

// The kinds. An Overlay shows the directories From, the first one on top, and
// what is written goes to Upper. Bind shows From[0], ReadOnly in such a way that
// nothing can be written; Empty is a new, empty directory in memory.
const (
	Overlay Kind = iota
	Bind
	ReadOnly
	Empty
)

// Mount is one mount. At must exist, for a Bind of a file too, and be a file then;
// in an Empty directory it is made.
type Mount struct {
	Kind Kind
	At   string
	From []string
	// Upper is a directory in which an Overlay keeps its changes, in "upper"; empty
	// discards them.
	Upper string
	// Mode of an Empty directory.
	Mode uint32
	// Optional mounts are left out where they cannot be made.
	Optional bool
}

// Encode returns the spec as one word. Paths may hold any bytes.
func (s Spec) Encode() string {
	var b bytes.Buffer
	_ = gob.NewEncoder(&b).Encode(s) // strings and numbers into memory: cannot fail
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// Decode is the reverse of Encode.
func Decode(word string) (Spec, error) {
	var s Spec
	data, err := base64.StdEncoding.DecodeString(word)
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(data)).Decode(&s)
	}
	if err != nil {
		return s, fmt.Errorf("read the description of a room: %w", err)
	}
	return s, nil
}

// With returns the spec with more mounts at its end.
func (s Spec) With(more ...Mount) Spec {
	s.Mounts = append(append([]Mount{}, s.Mounts...), more...)
	return s
}
