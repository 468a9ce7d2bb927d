package git

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxRefPart leaves room in a file name for ".lock" and a suffix.
const maxRefPart = 64

// validRefPart makes one part of a ref name from any text: ASCII letters, digits,
// '-', '_' and '.'. A valid part is returned unchanged; any other gets a hash of
// itself, so that two tasks do not get the same name.
func validRefPart(name string) string {
	var b strings.Builder
	gap := false
	for _, c := range name {
		if !refRune(c) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(c)
		if b.Len() >= maxRefPart {
			break
		}
	}
	part := b.String()
	if part == name && plainPart(part) {
		return part
	}
	sum := sha256.Sum256([]byte(name))
	for strings.Contains(part, "..") {
		part = strings.ReplaceAll(part, "..", ".")
	}
	part = strings.Trim(part[:min(len(part), maxRefPart-9)], "-._")
	if part == "" {
		part = "unnamed"
	}
	return strings.ReplaceAll(part, ".lock", "-lock") + "-" + hex.EncodeToString(sum[:4])
}

func refRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

func plainPart(p string) bool {
	return p != "" && len(p) <= maxRefPart && p[0] != '.' && p[0] != '-' && p[len(p)-1] != '.' &&
		!strings.Contains(p, "..") && !strings.HasSuffix(p, ".lock")
}

// validRef reports whether a full ref name is valid for git on every platform.
func validRef(ref string) bool {
	if !strings.HasPrefix(ref, "refs/") || len(ref) > 1000 || strings.HasSuffix(ref, ".") ||
		strings.Contains(ref, "..") || strings.Contains(ref, "@{") || strings.ContainsAny(ref, " ~^:?*[\\\x7f") {
		return false
	}
	for part := range strings.SplitSeq(ref, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") || len(part) > 240 {
			return false
		}
	}
	return !strings.ContainsFunc(ref, func(c rune) bool { return c < ' ' }) && !strings.HasPrefix(ref, heads+"-")
}
