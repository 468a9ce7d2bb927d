package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// mark is the prefix that says that somebody looked at an image (seed 000).
const mark = "verified-"

// maxImages of one gate; their digests must fit into the end of the log.
const maxImages = 1000

type image struct{ path, digest string }

// findImages lists the images below a folder, sorted. A missing folder has
// none.
func findImages(t *tree, folder string) ([]image, error) {
	name, err := t.name(folder)
	if err != nil {
		return nil, err
	}
	if _, err := t.root.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found []image
	err = fs.WalkDir(t.root.FS(), name, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isImage(p) {
			return err
		}
		if len(found) == maxImages {
			return fmt.Errorf("more than %d images in %s", maxImages, folder)
		}
		sum, err := digest(t, p)
		found = append(found, image{p, sum})
		return err
	})
	return found, err
}

func isImage(p string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".webp", ".gif"}, strings.ToLower(path.Ext(p)))
}

func digest(t *tree, name string) (string, error) {
	if _, err := t.stat(name); err != nil {
		return "", fmt.Errorf("image %s: %w", name, err)
	}
	f, err := t.root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("image %s: %w", name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// looked compares the images with what was recorded. It returns the record to
// keep, the images without the mark, and those that changed under it.
//
// A changed picture keeps the digest it was marked with in the record, so that
// it does not regain the mark by being looked at by us. It is marked anew by
// taking the prefix away for one evaluation and giving it back.
func looked(images []image, recorded map[string]string) (record []image, unmarked, changed []string) {
	for _, i := range images {
		base := path.Base(i.path)
		if !strings.HasPrefix(base, mark) {
			record, unmarked = append(record, i), append(unmarked, i.path)
			continue
		}
		was, known := recorded[i.path]
		without := path.Join(path.Dir(i.path), strings.TrimPrefix(base, mark))
		if known && was != i.digest && recorded[without] != i.digest {
			changed = append(changed, i.path)
			i.digest = was
		}
		record = append(record, i)
	}
	return record, unmarked, changed
}
