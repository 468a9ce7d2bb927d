package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// jsonFields compares fields of the only JSON object in a file, stdout or
// stderr: json stdout status passed attempts.len 3 gates.0.reason ~^exit. A value
// after ~ is a regular expression; len is the length of a list, keys the sorted
// keys of an object. Output beside the object is an error.
func jsonFields(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args)%2 == 0 {
		ts.Fatalf("usage: json FILE FIELD VALUE [FIELD VALUE...]")
	}
	object := readObject(ts, args[0])
	for i := 1; i < len(args); i += 2 {
		got, err := field(object, args[i])
		ts.Check(err)
		if !agrees(got, args[i+1]) {
			ts.Fatalf("%s: %s is %s, want %s", args[0], args[i], got, args[i+1])
		}
	}
}

// save puts a field into a variable: save ID stdout loop_id.
func save(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: save VARIABLE FILE FIELD")
	}
	got, err := field(readObject(ts, args[1]), args[2])
	ts.Check(err)
	ts.Setenv(args[0], got)
}

func readObject(ts *testscript.TestScript, file string) any {
	dec := json.NewDecoder(bytes.NewReader([]byte(ts.ReadFile(file))))
	dec.UseNumber()
	var object any
	ts.Check(dec.Decode(&object))
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		ts.Fatalf("%s: more than one JSON object", file)
	}
	return object
}

func agrees(got, want string) bool {
	if pattern, ok := strings.CutPrefix(want, "~"); ok {
		return regexp.MustCompile(pattern).MatchString(got)
	}
	return got == want
}

// field walks a dotted path and renders what it finds.
func field(v any, path string) (string, error) {
	for part := range strings.SplitSeq(path, ".") {
		next, err := step(v, part)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		v = next
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case nil:
		return "null", nil
	}
	text, err := json.Marshal(v)
	return string(text), err
}

func step(v any, part string) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		if part == "keys" {
			return strings.Join(sortedKeys(v), " "), nil
		}
		if value, ok := v[part]; ok {
			return value, nil
		}
		return nil, fmt.Errorf("there is no %q among %v", part, sortedKeys(v))
	case []any:
		if part == "len" {
			return json.Number(strconv.Itoa(len(v))), nil
		}
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < len(v) {
			return v[i], nil
		}
	}
	return nil, fmt.Errorf("there is no %q in %v", part, v)
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
