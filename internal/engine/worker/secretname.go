package worker

import (
	"net/url"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// Words in names of variables that mark their values as secrets: anywhere in a name, as
// its end, or as all of it.
var (
	secretWords = []string{
		"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "API_KEY", "APIKEY", "_AUTH",
		"PRIVATE_KEY", "ACCESS_KEY", "SIGNING_KEY", "ENCRYPTION_KEY",
	}
	secretEnds  = []string{"_PASS", "_JWT", "_COOKIE"}
	secretNames = []string{"JWT", "SSHPASS", "MYSQL_PWD"}
)

// secret reports whether a variable's name marks its value as a secret.
func secret(name string) bool {
	upper := strings.ToUpper(name)
	return slices.Contains(secretNames, upper) ||
		slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(upper, end) }) ||
		slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(upper, word) })
}

var urlPassword = lazyregexp.New(`[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#:@]*:([^\s/?#@]+)@`)

// urlPasswords returns the passwords of the addresses in a value, such as DATABASE_URL
// has, as they stand there and decoded. Words of defaults are none: to mask each
// "postgres" would help no one.
func urlPasswords(value string) []string {
	if !strings.Contains(value, "://") {
		return nil
	}
	var out []string
	for _, m := range urlPassword.FindAllStringSubmatch(value, -1) {
		if strings.Count(value, m[1]) > 1 || ordinaryWord(m[1]) {
			continue
		}
		out = append(out, m[1])
		if plain, err := url.PathUnescape(m[1]); err == nil && plain != m[1] {
			out = append(out, plain)
		}
	}
	return out
}

// ordinaryWord reports whether a password is a short word of lower-case letters.
func ordinaryWord(password string) bool {
	const most = 11
	return len(password) <= most && strings.Trim(password, "abcdefghijklmnopqrstuvwxyz") == ""
}
