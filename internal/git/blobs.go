package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// mostBlobs bounds the bytes that Blobs reads at once.
const mostBlobs = 32 << 20

// Blobs returns the contents of blobs by their ids, with one git for all of them. Missing
// ones, and those after the first 32 MiB, are left out: Blob tells more about each.
func (r *Repo) Blobs(ctx context.Context, ids []string) (map[string][]byte, error) {
	found := map[string][]byte{}
	var ask bytes.Buffer
	for _, id := range ids {
		if data, ok := r.object(id, "blob"); ok {
			found[id] = data
		} else if isID(id) {
			ask.WriteString(id + "\x00")
		}
	}
	if ask.Len() == 0 {
		return found, nil
	}
	out, err := r.callTruncated(ctx, call{place: r.bare(), args: []string{"cat-file", "--batch", "-z"}, stdin: ask.Bytes(), max: mostBlobs})
	if err != nil {
		return nil, fmt.Errorf("read %d blobs: %w", len(ids), err)
	}
	for rest := out.Stdout; len(rest) > 0; {
		header, content, _ := bytes.Cut(rest, []byte("\n"))
		f := strings.Fields(string(header))
		if len(f) != 3 { // "<id> missing"
			rest = content
			continue
		}
		size, err := strconv.Atoi(f[2])
		if err != nil || size >= len(content) { // cut off
			break
		}
		if f[1] == "blob" {
			found[f[0]] = bytes.Clone(content[:size])
		}
		rest = content[size+1:]
	}
	return found, nil //nolint:nilerr // an incomplete answer ends the list; the caller misses an id
}
