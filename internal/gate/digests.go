package gate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// digestHead opens the list of digests at the end of a visual gate's log. The
// log is the memory: its own digest stands in the result.
const digestHead = "--- images (sha256, path) ---"

func digestList(record []image) string {
	var b strings.Builder
	b.WriteString(digestHead + "\n")
	for _, i := range record {
		fmt.Fprintf(&b, "%s  %q\n", i.digest, i.path)
	}
	return b.String()
}

var digestLine = lazyregexp.New(`^([0-9a-f]{64})  (".*")$`)

// ReadDigests returns the digests that a visual gate recorded with a result:
// image → SHA-256. Give them to the next evaluation as Request.Digests. A log
// that is gone or was changed since is an error.
func ReadDigests(r loop.Result) (map[string]string, error) {
	if r.OutputFile == "" {
		return nil, nil
	}
	data, err := os.ReadFile(r.OutputFile)
	if err != nil {
		return nil, fmt.Errorf("read recorded images: %w", err)
	}
	if sum := sha256.Sum256(data); r.OutputSHA256 != hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("read recorded images: %s was changed since", r.OutputFile)
	}
	at := bytes.LastIndex(data, []byte(digestHead))
	if at < 0 {
		return nil, nil
	}
	found := map[string]string{}
	for line := range strings.Lines(string(data[at:])) {
		m := digestLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		if name, err := strconv.Unquote(m[2]); err == nil {
			found[name] = m[1]
		}
	}
	return found, nil
}
