package git

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Filter is one content filter, as the user configured it.
type Filter struct {
	Clean    string `json:"clean,omitempty"`
	Smudge   string `json:"smudge,omitempty"`
	Process  string `json:"process,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// Filters decide the content of files, frozen when a loop starts. They can be
// stored and restored with WithFilters after a crash.
type Filters struct {
	Drivers map[string]Filter `json:"drivers,omitempty"`
	// Content holds settings such as core.autocrlf.
	Content map[string]string `json:"content,omitempty"`
}

// WithFilters returns a Repo whose calls run these filters, and no others. A Repo
// from Open runs none.
func (r *Repo) WithFilters(f Filters) *Repo {
	c := *r
	c.filters = &f
	return &c
}

func (f Filter) with(variable, value string) Filter {
	switch variable {
	case "clean":
		f.Clean = value
	case "smudge":
		f.Smudge = value
	case "process":
		f.Process = value
	case "required":
		f.Required = value != "false" && value != "0" && value != "no" && value != ""
	}
	return f
}

// into writes the settings, so that no configured one applies. An empty process
// would disable clean and smudge (git takes it for the only filter), so it is
// written only for filters that have one or must do nothing.
func (f Filter) into(set map[string]string, name string) {
	set["filter."+name+".clean"] = f.Clean
	set["filter."+name+".smudge"] = f.Smudge
	set["filter."+name+".required"] = strconv.FormatBool(f.Required)
	if f.Process != "" || f.Clean == "" && f.Smudge == "" {
		set["filter."+name+".process"] = f.Process
	}
}

// into sets the captured filters and content settings, and blanks all other
// filters that are configured. A nil Filters blanks all.
func (f *Filters) into(set map[string]string, configured []string) {
	if f == nil {
		f = &Filters{}
	}
	for _, n := range configured {
		if _, ok := f.Drivers[n]; !ok {
			Filter{}.into(set, n)
		}
	}
	for n, def := range f.Drivers {
		def.into(set, n)
	}
	maps.Copy(set, f.Content)
}

// checkFilters fails where the repository now adds a process to a captured filter
// without one: no setting can remove it.
func (r *Repo) checkFilters(d drivers) error {
	if r.filters == nil {
		return nil
	}
	for _, n := range d.process {
		if f, ok := r.filters.Drivers[n]; ok && f.Process == "" {
			return ErrFilterChanged{n}
		}
	}
	return nil
}

// CaptureFilters reads the definition of every filter that attributes name, in
// the work tree, at HEAD, in info/attributes or in the user's own file. One
// without a definition is ErrMissingFilter, one without its program ErrFilterProgram:
// content would be wrong.
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
	return f, r.CheckFilters(ctx, f)
}

// namedFilters finds filter=NAME in every attributes file. Names that no file
// uses count too: they are defined or reported alike.
func (r *Repo) namedFilters(ctx context.Context, p place, d drivers) ([]string, error) {
	texts := [][]byte{readSmall(filepath.Join(r.CommonDir, "info", "attributes")), readSmall(r.userAttributes(d))}
	files, err := r.filesOfHead(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if filepath.Base(file.Path) != ".gitattributes" || !strings.HasPrefix(file.Mode, "100") {
			continue
		}
		blob, ok := r.object(file.ID, "blob")
		if !ok {
			if blob, err = r.git(ctx, p, "cat-file", "blob", file.ID); err != nil {
				return nil, err
			}
		}
		texts = append(texts, blob)
		if p.tree != "" {
			texts = append(texts, readSmall(filepath.Join(p.tree, filepath.FromSlash(file.Path))))
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

// FiltersOf returns the names of the content filters that the attributes files of a commit
// name, sorted.
func (r *Repo) FiltersOf(ctx context.Context, commit string) ([]string, error) {
	files, err := r.ListTree(ctx, commit)
	if err != nil {
		return nil, err
	}
	var ids, names []string
	for _, f := range files {
		if filepath.Base(f.Path) == ".gitattributes" && strings.HasPrefix(f.Mode, "100") {
			ids = append(ids, f.ID)
		}
	}
	texts, err := r.Blobs(ctx, ids)
	for _, text := range texts {
		names = append(names, filterNames(text)...)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// filesOfHead lists the files of the commit that a tree is on; none where there is no
// commit. ls-tree -r without a pathspec lists every file; git has no cheaper way to find
// a base name at every depth of a commit.
func (r *Repo) filesOfHead(ctx context.Context, p place) ([]File, error) {
	if head, ok := r.readHead(p); ok {
		if files, ok := r.looseFiles(head.Commit); ok {
			return files, nil
		}
	}
	list, err := r.git(ctx, p, "ls-tree", "-r", "-z", "HEAD")
	if exitCode(err) == -1 {
		return nil, err
	}
	return parseFiles(list)
}

// filterNames finds the filter=NAME entries of one attributes file.
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

// readSmall reads a regular file of at most 1 MiB; anything else is empty (a FIFO
// in its place must not block).
func readSmall(path string) []byte {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > 1<<20 {
		return nil
	}
	b, _ := os.ReadFile(path)
	return b
}
