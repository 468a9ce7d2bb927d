package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
)

// object reads a file that holds one JSON object and nothing after it. What is
// cut off in the middle, or was written twice over, is refused with its line.
func object(data []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &Error{Why: "is empty"}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return nil, broken(data, err)
	}
	if rest := bytes.TrimLeft(data[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, &Error{Line: lineAt(data, int64(len(data)-len(rest)+1)), Why: "something follows the end of the object"}
	}
	if m == nil {
		return nil, &Error{Line: 1, Why: "is no JSON object but null"}
	}
	return m, nil
}

// broken finds the line of an error of the decoder.
func broken(data []byte, err error) *Error {
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &Error{Line: lineAt(data, s.Offset), Why: "is not valid JSON: " + s.Error()}
	}
	if u, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &Error{Line: lineAt(data, u.Offset), Why: "is no JSON object but of type " + u.Value}
	}
	return &Error{Line: lineAt(data, int64(len(bytes.TrimRight(data, "\r\n")))), Why: "ends in the middle"}
}

// lineAt is the line of the last of the first n bytes.
func lineAt(data []byte, n int64) int {
	n = min(max(n-1, 0), int64(len(data)))
	return 1 + bytes.Count(data[:n], []byte("\n"))
}
