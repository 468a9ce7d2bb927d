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
	f := detect(data)
	if f.total == nil {
		return Value{}, ErrUnknown
	}
	v, err := f.total(data)
	if errors.Is(err, ErrUnknown) {
		return Value{}, err
	}
	if err != nil {
		return Value{}, fmt.Errorf("read %s report: %w", f.name, err)
	}
	return Value{Percent: v, Format: f.name}, nil
}

// format is one kind of report: how its total is read, and, where it has them,
// the values of its files.
type format struct {
	name  string
	total func([]byte) (float64, error)
	files func([]byte) ([]File, error)
}

// detect looks at the first bytes that say something. The zero format is none.
func detect(data []byte) format {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(data, []byte("mode: ")):
		return format{GoProfile, goProfile, goFiles}
	case bytes.HasPrefix(data, []byte("{")):
		return detectJSON(data)
	case bytes.HasPrefix(data, []byte("<")):
		return detectXML(data)
	case lcovLike(data):
		return format{"LCOV", lcov, lcovFiles}
	}
	return format{"text", textReport, nil}
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
