package kept

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// Same reports whether a file is there, and its SHA-256 is the one given in hex. A file
// that cannot be read is not the same.
func Same(path, digest string) bool {
	f, err := Open(path, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == digest
}
