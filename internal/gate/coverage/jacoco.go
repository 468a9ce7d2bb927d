package coverage

import (
	"encoding/xml"
	"strings"
)

// jacoco takes the LINE counter of the report; where that is missing, the sum
// of the counters of the groups or packages directly below it.
func jacoco(data []byte) (float64, error) {
	var top, below jacocoCount
	err := elements(data, func(path []string, e xml.StartElement) error {
		if e.Name.Local != "counter" {
			return nil
		}
		if t := attr(e, "type"); t == nil || *t != "LINE" {
			return nil
		}
		switch len(path) {
		case 1:
			return top.add(e)
		case 2:
			return below.add(e)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if top.seen {
		return ratio(top.covered, top.covered+top.missed)
	}
	return ratio(below.covered, below.covered+below.missed)
}

// jacocoFiles takes the LINE counter of each source file, named by its package.
func jacocoFiles(data []byte) ([]File, error) {
	var pkg, source string
	var out []File
	err := elements(data, func(path []string, e xml.StartElement) error {
		name := attr(e, "name")
		switch {
		case name != nil && e.Name.Local == "package":
			pkg = *name
		case name != nil && e.Name.Local == "sourcefile":
			source = *name
		case e.Name.Local == "counter" && len(path) > 0 && path[len(path)-1] == "sourcefile":
			if t := attr(e, "type"); t == nil || *t != "LINE" {
				return nil
			}
			var c jacocoCount
			if err := c.add(e); err != nil {
				return err
			}
			out = append(out, File{strings.TrimPrefix(pkg+"/"+source, "/"), c.covered, c.covered + c.missed})
		}
		return nil
	})
	return out, err
}

type jacocoCount struct {
	seen            bool
	covered, missed int64
}

func (c *jacocoCount) add(e xml.StartElement) error {
	covered, err := whole(e, "covered")
	if err != nil {
		return err
	}
	missed, err := whole(e, "missed")
	if err != nil {
		return err
	}
	c.seen, c.covered, c.missed = true, c.covered+covered, c.missed+missed
	return nil
}
