package learn

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

// hidden are files whose content is useless or secret.
var hidden = lazyregexp.New(`(?i)(^|/)(\.env[^/]*|[^/]*\.(pem|key|p12|pfx|keystore|lock|sum|min\.js|min\.css|map|snap|svg)|package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|id_[a-z0-9]+|\.npmrc|\.netrc|credentials[^/]*|secrets?\.[a-z]+|(vendor|node_modules)/.*)$`)

// excerpt is as much of a patch as is kept: the files that the failure names
// come first, each file has its fair share, and lines stay whole. Judge files are left out.
func excerpt(patch string, failure []string, most int, judges []string) string {
	files := split(text.Visible(patch), judges)
	said := strings.Join(failure, "\n")
	slices.SortStableFunc(files, func(a, b section) int { return b.weight(said) - a.weight(said) })
	var out strings.Builder
	for i, f := range files {
		share := (most - out.Len()) / (len(files) - i)
		if text := f.cut(share); text != "" {
			out.WriteString(text)
		}
	}
	return strings.TrimRight(out.String(), "\n")
}

// section is the part of a patch for one file.
type section struct {
	path string
	// hunks without git's lines about modes and blobs
	lines []string
}

func split(patch string, judges []string) []section {
	var out []section
	head := false
	for line := range strings.SplitSeq(patch, "\n") {
		if rest, ok := strings.CutPrefix(line, "diff --git "); ok {
			out, head = append(out, section{path: newPath(rest)}), true
			continue
		}
		if len(out) == 0 {
			continue
		}
		if strings.HasPrefix(line, "@@") {
			head = false
		}
		if f := &out[len(out)-1]; !head {
			f.lines = append(f.lines, text.Head(line, mostPath))
		}
	}
	return slices.DeleteFunc(out, func(f section) bool {
		return len(f.lines) == 0 || hidden.MatchString(f.path) || len(taught([]string{f.path}, judges)) == 0
	})
}

// newPath of "a/x b/x"; a path with spaces may come in quotes.
func newPath(header string) string {
	if i := strings.LastIndex(header, ` "b/`); i >= 0 {
		return strings.Trim(header[i+4:], `"`)
	}
	if i := strings.LastIndex(header, " b/"); i >= 0 {
		return header[i+3:]
	}
	return header
}

// weight ranks the files that the failure names first, then other sources.
func (f section) weight(said string) int {
	switch base := path.Base(f.path); {
	case base != "." && strings.Contains(said, base):
		return 2
	case !plain(strings.ToLower(path.Ext(base))):
		return 1
	}
	return 0
}

// cut is the section in at most so many bytes, whole lines only; empty where
// not even its first change fits.
func (f section) cut(most int) string {
	var b strings.Builder
	b.WriteString("--- " + text.Head(f.path, mostPath) + "\n")
	changes := 0
	for _, l := range f.lines {
		if b.Len()+len(l)+1+len(more)+1 > most {
			b.WriteString(more + "\n")
			break
		}
		if strings.HasPrefix(l, "+") || strings.HasPrefix(l, "-") {
			changes++
		}
		b.WriteString(l + "\n")
	}
	if changes == 0 || b.Len() > most {
		return ""
	}
	return b.String()
}

var (
	telling = lazyregexp.New(`(?i)\b(errors?|fail(s|ed|ure)?|panic(ked)?|exception|expected|received|want(ed)?|got|undefined|undeclared|cannot|can't|missing|not found|no such|assert\w*|\w+Error|mismatch|denied|refused|timed? ?out)\b|!=|^E  `)
	sharp   = lazyregexp.New(`\b\w+(Error|Exception)\b.*:|!=|(?i)\b(expected|received|want(ed)?|got|undefined|undeclared|panic:|cannot|not found|no such)\b`)
	counted = lazyregexp.New(`(?i)\b(0|no) (errors?|fail\w*|problems?|warnings?)\b`)
)

// errorLines are the first lines that describe a failure, verbatim, with the line
// after each of them; where none look like it, the last lines of all.
func errorLines(output string) []string {
	lines := strings.Split(text.Clean(output), "\n")
	var out []string
	left := mostError
	take := func(line string) bool {
		line = text.Head(strings.TrimRight(line, " \t"), mostPath)
		if strings.TrimSpace(line) == "" {
			return true
		}
		if left -= len(line); left < 0 || len(out) == mostLines {
			return false
		}
		out = append(out, line)
		return true
	}
	for i, taken := 0, -1; i < len(lines); i++ {
		tells := telling.MatchString(lines[i]) && !counted.MatchString(lines[i])
		follows := taken >= 0 && i == taken+1
		if tells {
			taken = i
		}
		if (tells || follows) && !take(lines[i]) {
			return out
		}
	}
	if len(out) > 0 {
		return out
	}
	const tail = 5
	for _, l := range lines[max(0, len(lines)-tail):] {
		take(l)
	}
	return out
}
