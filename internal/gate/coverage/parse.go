package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Parse reads a report.
func Parse(data []byte) (Value, error) {
	if len(data) > MaxSize {
		return Value{}, fmt.Errorf("read coverage report: larger than %d bytes", MaxSize)
	}
	format, read := detect(data)
	if read == nil {
		return Value{}, ErrUnknown
	}
	v, err := read(data)
	if errors.Is(err, ErrUnknown) {
		return Value{}, err
	}
	if err != nil {
		return Value{}, fmt.Errorf("read %s report: %w", format, err)
	}
	return Value{Percent: v, Format: format}, nil
}

type readFunc func([]byte) (float64, error)

// detect looks at the first bytes that say something.
func detect(data []byte) (string, readFunc) {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(data, []byte("mode: ")):
		return "Go profile", goProfile
	case bytes.HasPrefix(data, []byte("{")):
		return detectJSON(data)
	case bytes.HasPrefix(data, []byte("<")):
		return detectXML(data)
	case lcovLike(data):
		return "LCOV", lcov
	}
	return "text", textReport
}

func lcovLike(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), 64<<10)]) {
		s := strings.TrimSpace(string(line))
		if strings.HasPrefix(s, "SF:") {
			return true
		}
		if s != "" && !strings.HasPrefix(s, "TN:") && !strings.HasPrefix(s, "#") {
			return false
		}
	}
	return false
}
