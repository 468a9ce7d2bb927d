package gate

import (
	"fmt"
	"io"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// looks is what was found in a folder of images.
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
		return nil //nolint:nilerr // it becomes the gate's answer: error
	}
	images, err := findImages(e.tree, e.folder())
	if err != nil {
		e.looks.err = err
		return nil //nolint:nilerr // it becomes the gate's answer: error
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

// folder defaults to seed 000's.
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

func (e *evaluation) judgeVisual() verdict {
	l := e.looks
	least := 1
	if m := e.Gate.MinImages; m != nil {
		least = *m
	}
	switch {
	case !e.ok():
		return e.judgeExit()
	case l.err != nil:
		return finding(loop.Error, "%v", l.err)
	case len(l.changed) > 0:
		v := failing(loop.Failed, "%d of %d images changed after they were verified: %s", len(l.changed), l.total, list(l.changed))
		v.about = append([]string{"changed"}, l.changed...)
		return v
	case len(l.unmarked) > 0:
		v := failing(loop.Failed, "%d of %d images are not verified: %s", len(l.unmarked), l.total, list(l.unmarked))
		v.about = append([]string{"not verified"}, l.unmarked...)
		return v
	case l.total < least:
		return finding(loop.Failed, "%s in %s, %d needed", text.Plural(l.total, "image"), e.folder(), least)
	}
	return passing("%s verified", text.Plural(l.total, "image"))
}

// list names the first few.
func list(names []string) string {
	const shown = 3
	s := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}
