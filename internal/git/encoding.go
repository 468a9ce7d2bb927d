package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// add stages files as git would. A file that cannot be what .gitattributes calls its
// encoding is staged as it is: git refuses to, and work is never lost for that.
func (r *Repo) add(ctx context.Context, p place, paths []string) error {
	err := r.put(ctx, p, paths)
	if !refusedEncoding(err) {
		return err
	}
	encoded, plain, found := r.encoded(ctx, p, paths)
	if found != nil || len(encoded) == 0 {
		return errors.Join(err, found)
	}
	if len(plain) > 0 {
		if err := r.put(ctx, p, plain); err != nil {
			return err
		}
	}
	for _, path := range encoded {
		if err := r.put(ctx, p, []string{path}); !refusedEncoding(err) {
			if err != nil {
				return err
			}
			continue
		}
		line, err := r.asItIs(ctx, p, path)
		if err == nil {
			_, err = r.feed(ctx, p, nulls([]string{line}), "update-index", "-z", "--replace", "--index-info")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Repo) put(ctx context.Context, p place, paths []string) error {
	_, err := r.feed(ctx, p, nulls(paths), "update-index", "-z", "--add", "--remove", "--replace", "--stdin")
	return err
}

// refusedEncoding recognises what git says of a file that is not in the encoding of
// its attribute (convert.c).
func refusedEncoding(err error) bool {
	e, ok := errors.AsType[*CommandError](err)
	return ok && e.Code == 128 && slices.ContainsFunc([]string{"BOM is required", "BOM is prohibited", "failed to encode"},
		func(said string) bool { return strings.Contains(e.Error(), said) })
}

// encoded divides files into those that are there and whose attributes name an
// encoding, and the others.
func (r *Repo) encoded(ctx context.Context, p place, paths []string) (encoded, plain []string, err error) {
	out, err := r.feed(ctx, p, nulls(paths), "check-attr", "-z", "--stdin", "working-tree-encoding")
	if err != nil {
		return nil, nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+2 < len(fields); i += 3 { // path, attribute, value
		_, err := os.Lstat(filepath.Join(p.tree, filepath.FromSlash(fields[i])))
		if v := fields[i+2]; v == "unspecified" || v == "unset" || err != nil {
			plain = append(plain, fields[i])
		} else {
			encoded = append(encoded, fields[i])
		}
	}
	return encoded, plain, nil
}

// asItIs stores a file without any filter and returns its line for the index.
func (r *Repo) asItIs(ctx context.Context, p place, path string) (string, error) {
	file := filepath.Join(p.tree, filepath.FromSlash(path))
	info, err := os.Lstat(file)
	if err != nil {
		return "", err
	}
	mode, data := "100644", []byte(nil)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		var to string
		mode = "120000"
		to, err = os.Readlink(file)
		data = []byte(to)
	case info.Mode()&0o100 != 0:
		mode = "100755"
		fallthrough
	default:
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return "", err
	}
	out, err := r.feed(ctx, r.shared(), data, "hash-object", "-w", "--no-filters", "--stdin")
	if err != nil {
		return "", fmt.Errorf("store %s: %w", path, err)
	}
	return mode + " " + strings.TrimSpace(string(out)) + "\t" + path, nil
}
