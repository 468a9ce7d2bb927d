package config

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/lazyregexp"
	"ralph/internal/quiet"
)

func keep(s string) (string, *problem) { return s, nil }

// inside refuses paths that leave the repository on any system: a gate's folder
// is joined to the worktree's root.
func inside(s string) (string, *problem) {
	const hint = "write a path relative to the repository's root, with forward slashes"
	if strings.ContainsAny(s, "\\\n\r") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") || len(s) > 1 && s[1] == ':' {
		return "", problemf(hint, "%s is not a path inside the repository", clip(s))
	}
	clean := path.Clean(s)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", problemf(hint, "%s leads out of the repository", clip(s))
	}
	return clean, nil
}

func glob(s string) (string, *problem) {
	if !doublestar.ValidatePattern(s) {
		return "", problemf("check its brackets and braces", "%s is not a valid glob", clip(s))
	}
	return inside(s)
}

func anywhere(s string) (string, *problem) {
	if !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "~/") {
		return "", problemf("write /the/whole/path or ~/path", "%s is not an absolute path", clip(s))
	}
	clean := path.Clean(s)
	if clean != "~" && !strings.HasPrefix(clean, "/") && !strings.HasPrefix(clean, "~/") {
		return "", problemf("write /the/whole/path", "%s leads out of the home directory", clip(s))
	}
	return clean, nil
}

// logPath accepts only names that look like a log, and nothing below .git, so
// that a project's ralph.yaml cannot have lines appended to any other file.
func logPath(s string) (string, *problem) {
	isGit := func(part string) bool { return strings.EqualFold(strings.TrimRight(part, ". "), ".git") }
	s, p := inside(s)
	switch {
	case p != nil:
		return "", p
	case path.Ext(s) != ".jsonl" || path.Base(s) == ".jsonl":
		return "", problemf("name a file such as docs/bus/log.jsonl", "%s does not end in .jsonl", clip(s))
	case slices.ContainsFunc(strings.Split(s, "/"), isGit):
		return "", problemf("choose a folder of the project", "%s is git's own", clip(s))
	}
	return s, nil
}

// parser keeps the path of junit:PATH as it was written.
func parser(s string) (string, *problem) {
	file, ok := strings.CutPrefix(s, "junit:")
	switch {
	case !ok:
		return s, oneOf(s, parsers, "result format")
	case file == "":
		return "", problemf("write junit:<path of the report>", "the path is missing")
	}
	_, p := inside(file)
	return s, p
}

func address(s string) (string, *problem) {
	const hint = "write an address such as https://gateway.example.org/v1"
	at, err := url.Parse(s)
	switch {
	case err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http":
		return "", problemf(hint, "%s is not an HTTP address", clip(s))
	case at.User != nil || at.RawQuery != "":
		return "", problemf(hint+", and the key into a variable (key_env)", "an address must hold no login and no query")
	}
	return s, nil
}

const variablePattern = `^[A-Za-z_][A-Za-z0-9_]*$`

var variableName = lazyregexp.New(variablePattern)

// variable does not quote what it refuses: it may be the key itself.
func variable(s string) (string, *problem) {
	if !variableName.MatchString(s) {
		return "", problemf("write the name of an environment variable, never a key", "this cannot be a variable's name")
	}
	return s, nil
}

func onOff(s string) (string, *problem) {
	switch strings.ToLower(s) {
	case "on", "true", "yes":
		return "on", nil
	case "off", "false", "no":
		return "off", nil
	}
	return "", problemf("write on or off", "%s is neither on nor off", clip(s))
}

// hours keeps what package quiet can read.
func hours(s string) (string, *problem) {
	if _, err := quiet.Parse(s); err != nil {
		return "", problemf("write hours such as "+quiet.Example, "%s", err.Error())
	}
	return s, nil
}
