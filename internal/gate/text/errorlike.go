package text

import (
	"regexp"
	"strings"
)

// errorLike: words that state an error, a source position with a message as
// compilers and linters print it, or an assertion's two sides.
var errorLike = regexp.MustCompile(`(?i)\b(error|errors|exception|fail|failed|failure|failures|fatal|panic|panicked|cannot|can't|could not|undefined|unresolved|not found|no such|denied|refused|timed? ?out|assert\w*|expected|unexpected|mismatch|invalid|missing|traceback|segmentation|killed|abort(ed)?|want|got|received|actual)\b` +
	`|[a-z](Error|Exception)\b|^E\s{2,}|✖|✕|✗|×|●|!==|!= ` +
	`|^\s*\S+?\.[A-Za-z]\w{0,5}[:(]\d+([:,]\d+)?\)?:?\s+\S`)

// calm: lines that use such words although they report a success or nothing.
var calm = regexp.MustCompile(`(?i)\b(0|no) (errors?|failures?|failed|fail|problems?|warnings?)\b|^\s*(✔|✓|ok\b|PASS\b|--- PASS|=== )|^Traceback \(most recent|^\s*File "|^\s*at \S+|^\s*Error Trace:`)

// ErrorLike says whether a plain line looks like the statement of an error.
func ErrorLike(line string) bool {
	if strings.TrimSpace(line) == "" {
		return false
	}
	if len(line) > 2000 {
		line = line[:2000]
	}
	return errorLike.MatchString(line) && !calm.MatchString(line)
}
