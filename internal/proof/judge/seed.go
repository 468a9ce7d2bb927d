package judge

import (
	"path"
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// Tests fill a database from files (db/seed.sql, db/seeds/*.sql). The rows belong to the
// tests; the tables are the product's.

var (
	// definesTables and fillsTables match statements of SQL.
	definesTables = lazyregexp.New(`(?i)\b(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:unique\s+|temp(?:orary)?\s+|virtual\s+|materialized\s+)?(?:table|view|index|function|trigger|type|schema|database|extension|sequence)\b`)
	fillsTables   = lazyregexp.New(`(?i)\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|copy\s+\w+|update\s+\w+\s+set|merge\s+into)\b`)
	// clients of databases run the SQL that they are given.
	clients = []string{"psql", "sqlite3", "mysql", "mariadb", "duckdb", "sqlcmd", "clickhouse-client"}
	// takesPattern matches a search for files.
	takesPattern = lazyregexp.New(`(?i)glob|readdir|listdir|scandir|iterdir|\bwalk|\*\.\w`)
)

// defines reports whether a text of SQL defines tables and fills none.
func defines(name string, text []byte) bool {
	return strings.EqualFold(path.Ext(name), ".sql") && definesTables.MatchString(string(text)) && !fillsTables.MatchString(string(text))
}

// runsSQL reports whether a command of a database's client runs the file of its word.
func runsSQL(words []string, i int) bool {
	for _, client := range clients {
		if path.Base(words[0]) == client {
			return i > 0 && strings.EqualFold(path.Ext(words[i]), ".sql")
		}
	}
	return false
}

// folderNamed matches the folder of a file of data where a text names it as a path; nil for
// one at the root.
func folderNamed(p string) *regexp.Regexp {
	dir := proof.DirOf(p)
	if dir == "." {
		return nil
	}
	name := regexp.QuoteMeta(path.Base(dir))
	pattern := `["'/]` + name + `/|/\s*["']` + name + `["']|\b(?:\w*[Jj]oin|resolve|\w*[Pp]ath|\w*[Dd]ir\w*|[Gg]lob)\([^()\n]*["']` + name + `["']`
	if above := path.Base(proof.DirOf(dir)); above != "." {
		above = regexp.QuoteMeta(above)
		pattern += `|\b` + above + `["']?\s*[,/]\s*["']?` + name + `\b`
	}
	return regexp.MustCompile(pattern)
}

// makesName matches a text that makes the name of a file with the ending of another one
// (f"{language}.json", `${name}.json`, name + ".json").
func makesName(p string) *regexp.Regexp {
	return regexp.MustCompile(`(?:\}|%\w|\+\s*["'\x60])` + regexp.QuoteMeta(path.Ext(p)) + `\b`)
}
