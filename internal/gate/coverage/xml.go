package coverage

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxDepth bounds nested elements.
const maxDepth = 100

// detectXML tells the XML formats apart by their root and what is in it.
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
		return 0, fmt.Errorf("%s=%q is no count", name, *v)
	}
	return n, nil
}
