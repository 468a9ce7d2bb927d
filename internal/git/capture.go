package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CaptureFilters reads the definition of every filter that attributes name, in
// the work tree, at HEAD, in info/attributes or in the user's own file. One
// without a definition is ErrMissingFilter: content would be wrong.
func (r *Repo) CaptureFilters(ctx context.Context) (Filters, error) {
	p := r.home()
	d, err := r.drivers(ctx, p.gitDir)
	if err != nil {
		return Filters{}, err
	}
	names, err := r.namedFilters(ctx, p, d)
	if err != nil {
		return Filters{}, err
	}
	f := Filters{Drivers: map[string]Filter{}, Content: d.content}
	var missing []string
	for _, n := range names {
		def := d.defs[n]
		if def.Clean == "" && def.Smudge == "" && def.Process == "" {
			missing = append(missing, n)
			continue
		}
		f.Drivers[n] = def
	}
	if missing != nil {
		return f, ErrMissingFilter{missing}
	}
	return f, nil
}

// namedFilters looks for filter=NAME in every attributes file there is. It may
// find one that no file uses; that one is as well defined or reported.
func (r *Repo) namedFilters(ctx context.Context, p place, d drivers) ([]string, error) {
	texts := [][]byte{readSmall(filepath.Join(r.CommonDir, "info", "attributes")), readSmall(r.userAttributes(d))}
	const head = "HEAD"
	// ls-tree -r without a pathspec lists every file; git has no cheaper way
	// to find a base name at every depth of a commit.
	list, err := r.git(ctx, p, "ls-tree", "-r", "-z", head)
	if exitCode(err) == -1 {
		return nil, err
	}
	for _, entry := range fields(list) {
		info, path, _ := strings.Cut(entry, "\t")
		if filepath.Base(path) != ".gitattributes" || !strings.HasPrefix(info, "100") {
			continue
		}
		blob, err := r.git(ctx, p, "cat-file", "blob", info[strings.LastIndexByte(info, ' ')+1:])
		if err != nil {
			return nil, err
		}
		texts = append(texts, blob)
		if p.tree != "" {
			texts = append(texts, readSmall(filepath.Join(p.tree, filepath.FromSlash(path))))
		}
	}
	if p.tree != "" {
		texts = append(texts, readSmall(filepath.Join(p.tree, ".gitattributes")))
	}
	var names []string
	for _, t := range texts {
		names = append(names, filterNames(t)...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// filterNames finds the filter=NAME words of one attributes file.
func filterNames(text []byte) []string {
	var names []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if name, ok := strings.CutPrefix(word, "filter="); ok && name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

func (r *Repo) userAttributes(d drivers) string {
	if set := d.content["core.attributesfile"]; set != "" {
		if rest, ok := strings.CutPrefix(set, "~/"); ok {
			return filepath.Join(r.getenv("HOME"), rest)
		}
		return set
	}
	if xdg := r.getenv("XDG_CONFIG_HOME"); xdg != "" {
		return filepath.Join(xdg, "git", "attributes")
	}
	return filepath.Join(r.getenv("HOME"), ".config", "git", "attributes")
}

// readSmall reads a regular file of at most 1 MiB; anything else is empty (a
// FIFO in its place must not hang us).
func readSmall(path string) []byte {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > 1<<20 {
		return nil
	}
	b, _ := os.ReadFile(path)
	return b
}
