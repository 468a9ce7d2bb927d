package coverage

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxDepth bounds nested elements.
const maxDepth = 100

// detectXML distinguishes the XML formats by their root and its content.
func detectXML(data []byte) format {
	var root string
	var first string
	err := elements(data, func(path []string, e xml.StartElement) error {
		switch {
		case len(path) == 0:
			root = e.Name.Local
			if root != "coverage" || attr(e, "line-rate") != nil || attr(e, "lines-valid") != nil {
				return io.EOF
			}
		case len(path) == 1:
			first = e.Name.Local
			return io.EOF
		}
		return nil
	})
	switch {
	case root == "report":
		return format{"JaCoCo", jacoco, jacocoFiles}
	case root == "coverage" && first == "project":
		return format{"Clover", clover, cloverFiles}
	case root == "coverage":
		return format{"Cobertura", cobertura, coberturaFiles}
	case root == "" && err != nil:
		return unreadable("XML", err)
	}
	return format{}
}

// elements calls f for every element with the names of those around it. No
// entity and no DTD is ever loaded. It returns io.EOF when f does; a document
// that is cut short is an error.
func elements(data []byte, f func(path []string, e xml.StartElement) error) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var path []string
	seen := false
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) && seen && len(path) == 0 {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if len(path) >= maxDepth {
				return fmt.Errorf("more than %d nested elements", maxDepth)
			}
			if err := f(path, t); err != nil {
				return err
			}
			path, seen = append(path, t.Name.Local), true
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

// attr returns the value of an attribute, or nil.
func attr(e xml.StartElement, name string) *string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == name {
			return &e.Attr[i].Value
		}
	}
	return nil
}

// whole reads an attribute that must be a count.
func whole(e xml.StartElement, name string) (int64, error) {
	v := attr(e, name)
	if v == nil {
		return 0, fmt.Errorf("<%s> has no %s", e.Name.Local, name)
	}
	n, err := strconv.ParseInt(*v, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s=%q is not a count", name, *v)
	}
	return n, nil
}

// clover uses the metrics of the project; where PHPUnit omits them, the sum of
// the files' own.
func clover(data []byte) (float64, error) {
	var project, files cloverCount
	err := elements(data, func(path []string, e xml.StartElement) error {
		if e.Name.Local != "metrics" || len(path) == 0 {
			return nil
		}
		switch path[len(path)-1] {
		case "project":
			return project.add(e)
		case "file":
			return files.add(e)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if project.total > 0 {
		return ratio(project.covered, project.total)
	}
	return ratio(files.covered, files.total)
}

// cloverFiles takes the metrics of each file, by its path where it has one.
func cloverFiles(data []byte) ([]File, error) {
	var name string
	var out []File
	err := elements(data, func(path []string, e xml.StartElement) error {
		switch {
		case e.Name.Local == "file":
			name = ""
			for _, key := range []string{"path", "name"} {
				if v := attr(e, key); v != nil && name == "" {
					name = *v
				}
			}
		case e.Name.Local == "metrics" && len(path) > 0 && path[len(path)-1] == "file":
			var c cloverCount
			if err := c.add(e); err != nil {
				return err
			}
			out = append(out, File{name, c.covered, c.total})
		}
		return nil
	})
	return out, err
}

type cloverCount struct{ covered, total int64 }

func (c *cloverCount) add(e xml.StartElement) error {
	covered, err := whole(e, "coveredstatements")
	if err != nil {
		return err
	}
	total, err := whole(e, "statements")
	if err != nil {
		return err
	}
	c.covered, c.total = c.covered+covered, c.total+total
	return nil
}

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
