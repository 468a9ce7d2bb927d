package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// ownFolder matches the folder of a source of Python or the current one: tests may lie there.
const ownFolder = `\bPath(?:\((?:__file__|["']\.{0,2}/?["'])?\)|\.cwd\(\))(?:\.(?:resolve|absolute)\(\)|\.parents?\b(?:\[\d+\])?)*`

// ownFolderNamed matches a variable or parameter for it.
var ownFolderNamed = lazyregexp.New(`(?m)(?:^|[(,])[ \t]*(\w+)[ \t]*(?::[^=\n,]*)?=[ \t]*(?:\w+\.)?` + ownFolder + `[ \t]*(?:[,)]|$)`)

// searches returns what matches a search through all files of the folder that holds a source
// of Python, or of the current one. A folder that it gets from its caller is no such folder.
func searches(lang, text string) *suspicion {
	if lang != "python" {
		return nil
	}
	names := []string{ownFolder}
	for _, m := range ownFolderNamed.FindAllStringSubmatch(text, -1) {
		names = append(names, `\b`+m[1]+`(?:\.parents?\b(?:\[\d+\])?)*`)
	}
	return &suspicion{lazyregexp.New(`(?:` + strings.Join(names, "|") + `)\.(?:(?:rglob|walk)\(|glob\(\s*f?["'][^"'\n/]*\*[^"'\n/]*/)|` + ownFolder + `\.(?:iterdir|glob)\(\s*(?:\)|["']\*)`), findsTests, true}
}
