package config

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// flow prints a list as YAML on one line.
func flow(v []string) string {
	if len(v) == 0 {
		return ""
	}
	all := make([]string, len(v))
	for i, s := range v {
		all[i] = quote(s)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// flowMap prints texts by name as YAML on one line.
func flowMap(m map[string]string) string {
	if len(m) == 0 {
		return ""
	}
	var all []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		all = append(all, k+": "+quote(m[k]))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// plainText is what YAML reads back as the same text without quotes, also
// inside a list.
const plainText = `^[A-Za-z_./][A-Za-z0-9_./ @%+=~-]*$`

// quote writes a text as YAML: plain where that is safe, else in double quotes,
// whose escapes are those of Go. Bytes that are no text cannot be written in
// YAML and become U+FFFD.
func quote(s string) string {
	if regexp.MustCompile(plainText).MatchString(s) && !strings.HasSuffix(s, " ") && !isWord(s) {
		return s
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\ufffd"))
}

// isWord: YAML reads these, and numbers, as something else than text.
func isWord(s string) bool {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", "---", "...":
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
