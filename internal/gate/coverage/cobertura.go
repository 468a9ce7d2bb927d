package coverage

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// cobertura uses the counts of the root, else counts the lines of classes, else
// uses the root's rate. coverage.py and many others write it.
func cobertura(data []byte) (float64, error) {
	var c coberturaReport
	if err := elements(data, c.element); err != nil {
		return 0, err
	}
	covered, total := tally(c.lines)
	switch {
	case c.hasCounts && c.valid > 0:
		return ratio(c.covered, c.valid)
	case total > 0:
		return ratio(covered, total)
	case c.hasCounts || c.rate == nil:
		return 0, ErrEmpty
	}
	v, err := percent(*c.rate)
	if err != nil {
		return 0, fmt.Errorf("line-rate: %w", err)
	}
	return inRange(100 * v)
}

// coberturaFiles counts the lines of each class's file.
func coberturaFiles(data []byte) ([]File, error) {
	var c coberturaReport
	if err := elements(data, c.element); err != nil {
		return nil, err
	}
	lines := map[string]map[string]bool{}
	for key, hit := range c.lines {
		i := strings.LastIndexByte(key, ':')
		if lines[key[:i]] == nil {
			lines[key[:i]] = map[string]bool{}
		}
		lines[key[:i]][key[i+1:]] = hit
	}
	return tallied(lines), nil
}

type coberturaReport struct {
	covered, valid int64
	hasCounts      bool
	rate           *string
	file           string
	lines          map[string]bool
}

func (c *coberturaReport) element(path []string, e xml.StartElement) (err error) {
	switch {
	case len(path) == 0:
		return c.root(e)
	case e.Name.Local == "class":
		c.file = ""
		if f := attr(e, "filename"); f != nil {
			c.file = *f
		}
	case e.Name.Local == "line" && path[len(path)-1] == "lines":
		return c.line(e)
	}
	return nil
}

func (c *coberturaReport) root(e xml.StartElement) (err error) {
	c.rate = attr(e, "line-rate")
	if attr(e, "lines-covered") == nil || attr(e, "lines-valid") == nil {
		return nil
	}
	c.hasCounts = true
	if c.covered, err = whole(e, "lines-covered"); err != nil {
		return err
	}
	c.valid, err = whole(e, "lines-valid")
	return err
}

// line: methods repeat the lines of their class, so each is kept once.
func (c *coberturaReport) line(e xml.StartElement) error {
	number, hits := attr(e, "number"), attr(e, "hits")
	if number == nil || hits == nil {
		return fmt.Errorf("a line without number or hits")
	}
	if c.lines == nil {
		c.lines = map[string]bool{}
	}
	key := c.file + ":" + *number
	c.lines[key] = c.lines[key] || *hits != "0"
	return nil
}
