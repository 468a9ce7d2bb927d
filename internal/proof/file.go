package proof

import (
	"maps"
	"slices"
)

// File is one path of a commit's tree with git's mode and object id.
type File struct{ Path, Mode, ID string }

// Edit changes one path of a commit: without Mode the path is removed; else it
// becomes the object ID or, where ID is empty, Data.
type Edit struct {
	Path, Mode, ID string
	Data           []byte
}

// Modes of git.
const (
	LinkMode      = "120000"
	SubmoduleMode = "160000"
	ExecMode      = "100755"
)

// IsFile reports whether a path is a plain file, and no link or submodule.
func IsFile(f File) bool { return f.Mode != LinkMode && f.Mode != SubmoduleMode }

// Index returns files by their paths.
func Index(files []File) map[string]File {
	out := make(map[string]File, len(files))
	for _, f := range files {
		out[f.Path] = f
	}
	return out
}

// SortedPaths are the paths of indexed files, in their order.
func SortedPaths(files map[string]File) []string { return slices.Sorted(maps.Keys(files)) }

// TwoTexts are those of a file on the base and on the work; "" where it is not there.
func TwoTexts(base, work File, content func(id string) ([]byte, error)) (was, now string, err error) {
	for _, of := range []struct {
		id string
		to *string
	}{{base.ID, &was}, {work.ID, &now}} {
		if of.id == "" {
			continue
		}
		data, err := content(of.id)
		if err != nil {
			return "", "", err
		}
		*of.to = string(data)
	}
	return was, now, nil
}
