// Package fence puts text of others on a page so that it stays a quotation.
//
// A block stands between two marks that carry a nonce, inside a fence longer
// than any run of backticks in it. Neither the end mark nor the end of the fence
// can be written by the text itself: its nonce is taken out, and the fence is
// measured after that.
package fence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"ralph/internal/text"
)

// Block is body, already cut and cleaned, as a block of data; empty for no body.
func Block(nonce, label, body string) string {
	body = strings.Trim(body, "\n")
	if body == "" {
		return ""
	}
	// A nonce that leaked into foreign text would let it write its own end.
	body = strings.ReplaceAll(body, nonce, "[nonce]")
	ticks := strings.Repeat("`", max(3, LongestRun(body)+1))
	return fmt.Sprintf("BEGIN DATA %s (%s)\n%s\n%s\n%s\nEND DATA %s", nonce, label, ticks, body, ticks, nonce)
}

// Word is a short foreign text on one line. Backticks become quotes, so that it
// can stand in a code span.
func Word(nonce, s string) string {
	s = strings.ReplaceAll(text.SpacedLine(s), nonce, "[nonce]")
	return strings.ReplaceAll(s, "`", "'")
}

// Nonce is a digest of the text that will be quoted: no text contains its
// own digest.
func Nonce(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// LongestRun is the length of the longest run of backticks in s.
func LongestRun(s string) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
