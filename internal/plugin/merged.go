package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// merged is ralph's share of a JSON file.
type merged struct{ entries []entry }

// entry is one member of an object, or one element of an array.
type entry struct {
	// path leads to the member, or to the array.
	path    []string
	element bool
	value   any
	// mark is a text that identifies ralph's element.
	mark string
}

// add adds the missing entries. An entry that is present with another value is
// the user's decision and stays.
func (m merged) add(old []byte) (text []byte, kept []string, err error) {
	text = old
	if len(bytes.TrimSpace(bare(old))) == 0 {
		text = append(bytes.Clone(old), "{}"+newline(old)...)
	}
	for _, e := range m.entries {
		d, err := parse(text)
		if err != nil {
			return nil, nil, err
		}
		have, err := d.find(e)
		switch {
		case err != nil:
			return nil, nil, err
		case have == nil:
			if text, err = d.put(e); err != nil {
				return nil, nil, err
			}
		case !same(have, e.value):
			kept = append(kept, strings.Join(e.path, ".")+" is there already, and differs")
		}
	}
	return text, kept, m.sound(text)
}

// sound checks that a program that reads the text finds every entry.
func (m merged) sound(text []byte) error {
	d, err := parse(text)
	if err != nil {
		return err
	}
	for _, e := range m.entries {
		if have, err := d.find(e); err != nil || have == nil {
			return fmt.Errorf("it is written in a way that %s cannot be added to", strings.Join(e.path, "."))
		}
	}
	return nil
}

func (m merged) remove(old, before []byte) (text []byte, kept []string, err error) {
	if len(bytes.TrimSpace(bare(old))) == 0 {
		return old, nil, nil
	}
	was, err := parse(before)
	if len(bytes.TrimSpace(before)) == 0 || err != nil {
		was = document{}
	}
	text = old
	for _, e := range m.entries {
		d, err := parse(text)
		if err != nil {
			return nil, nil, err
		}
		have, err := d.find(e)
		switch {
		case err != nil || have == nil:
			kept = appendError(kept, err)
		case !same(have, e.value):
			kept = append(kept, strings.Join(e.path, ".")+" is not as ralph wrote it")
		default:
			if text, err = d.take(e, was); err != nil {
				return nil, nil, err
			}
		}
	}
	if d, err := parse(text); err == nil && before == nil && d.top().empty() {
		return nil, kept, nil
	}
	return text, kept, nil
}

func appendError(kept []string, err error) []string {
	if err != nil {
		return append(kept, err.Error())
	}
	return kept
}

// same compares the value in a file with the one that ralph writes.
func same(have *hujson.Value, want any) bool {
	v := have.Clone()
	v.Standardize()
	data, err := json.Marshal(want)
	var a, b any
	return err == nil && json.Unmarshal(v.Pack(), &a) == nil && json.Unmarshal(data, &b) == nil && reflect.DeepEqual(a, b)
}
