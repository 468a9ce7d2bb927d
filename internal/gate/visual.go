package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/kept"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// looks is the state of a folder of images.
type looks struct {
	err               error
	total             int
	unmarked, changed []string
}

// look records the digests of the images at the end of the log.
func (e *evaluation) look(log io.Writer) error {
	recorded, err := e.recorded()
	if err != nil {
		e.looks.err = err
		return nil //nolint:nilerr // reported as the gate's verdict: error
	}
	images, err := findImages(e.tree, e.folder())
	if err != nil {
		e.looks.err = err
		return nil //nolint:nilerr // reported as the gate's verdict: error
	}
	record, unmarked, changed := looked(images, recorded)
	e.looks = looks{total: len(images), unmarked: unmarked, changed: changed}
	if e.Gate.Run != "" {
		_, err = io.WriteString(log, "\n")
	}
	if err == nil {
		_, err = io.WriteString(log, digestList(record))
	}
	return err
}

// folder returns the folder of images; the default is seed 000's.
func (e *evaluation) folder() string {
	if e.Gate.Images == "" {
		return "screenshots"
	}
	return e.Gate.Images
}

func (e *evaluation) recorded() (map[string]string, error) {
	if e.Digests != nil || e.Baseline == nil {
		return e.Digests, nil
	}
	return ReadDigests(*e.Baseline)
}

func (e *evaluation) visualVerdict() verdict {
	l := e.looks
	least := 1
	if m := e.Gate.MinImages; m != nil {
		least = *m
	}
	switch {
	case !e.ok():
		return e.exitVerdict()
	case l.err != nil:
		return finding(loop.Error, "%v", l.err)
	case len(l.changed) > 0:
		v := failing(loop.Failed, "%d of %d images changed after they were verified: %s", len(l.changed), l.total, text.Few(l.changed, 3))
		v.about = append([]string{"changed"}, l.changed...)
		return v
	case len(l.unmarked) > 0:
		v := failing(loop.Failed, "%d of %d images are not verified: %s", len(l.unmarked), l.total, text.Few(l.unmarked, 3))
		v.about = append([]string{"not verified"}, l.unmarked...)
		return v
	case l.total < least:
		return finding(loop.Failed, "%s in %s, %d needed", text.Plural(l.total, "image"), e.folder(), least)
	}
	return passing("%s verified", text.Plural(l.total, "image"))
}

// digestHead opens the list of digests at the end of a visual gate's log. The log
// stores them: its own digest is part of the result.
const digestHead = "--- images (sha256, path) ---"

func digestList(record []image) string {
	var b strings.Builder
	b.WriteString(digestHead + "\n")
	for _, i := range record {
		fmt.Fprintf(&b, "%s  %q\n", i.digest, i.path)
	}
	return b.String()
}

var digestLine = lazyregexp.New(`^([0-9a-f]{64})  (".*")$`)

// ReadDigests returns the digests that a visual gate recorded with a result:
// image → SHA-256. Pass them to the next evaluation as Request.Digests. A missing
// or changed log is an error.
func ReadDigests(r loop.Result) (map[string]string, error) {
	if r.OutputFile == "" {
		return nil, nil
	}
	data, err := kept.ReadFile(r.OutputFile)
	if err != nil {
		return nil, fmt.Errorf("read recorded images: %w", err)
	}
	if sum := sha256.Sum256(data); r.OutputSHA256 != hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("read recorded images: %s was changed since", r.OutputFile)
	}
	at := bytes.LastIndex(data, []byte(digestHead))
	if at < 0 {
		return nil, nil
	}
	found := map[string]string{}
	for line := range strings.Lines(string(data[at:])) {
		m := digestLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		if name, err := strconv.Unquote(m[2]); err == nil {
			found[name] = m[1]
		}
	}
	return found, nil
}

// mark is the prefix of images that a person has checked (seed 000).
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

// looked compares the images with the recorded digests. It returns the record to
// keep, the images without the mark, and those that changed under it.
//
// A changed picture keeps the digest with which it was marked, so that an
// evaluation does not restore the mark. To mark it anew, remove the prefix for
// one evaluation and add it again.
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
