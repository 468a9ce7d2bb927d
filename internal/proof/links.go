package proof

import (
	"path"
	"slices"
	"strings"
)

// mostHops is how many links the kernel follows on the way to a file (ELOOP).
const mostHops = 40

// LinksOut returns the symbolic links of the work that lead out of the repository, as
// "path → target", sorted. A link leaves by an absolute target, by "..", through
// another link, or into .git, which no commit holds. A link that left on the base
// already is none of the work's. Links that end nowhere, and those into submodules,
// stay inside.
//
// content returns a blob; that of a link is its target.
func LinksOut(base, work []File, content func(id string) ([]byte, error)) ([]string, error) {
	now, err := LinksOf(work, content)
	if err != nil {
		return nil, err
	}
	var before Links
	var out []string
	for _, f := range work {
		if f.Mode != LinkMode || !now.leaves(f.Path) {
			continue
		}
		if before == nil {
			if before, err = LinksOf(base, content); err != nil {
				return nil, err
			}
		}
		if before[f.Path] == now[f.Path] && before.leaves(f.Path) {
			continue
		}
		out = append(out, f.Path+" → "+now[f.Path])
	}
	slices.Sort(out)
	return out, nil
}

// Links are the targets of the links of a commit, by their paths.
type Links map[string]string

// LinksOf returns the links among files; content returns a blob, and that of a link is its target.
func LinksOf(files []File, content func(id string) ([]byte, error)) (Links, error) {
	l := Links{}
	for _, f := range files {
		if f.Mode != LinkMode {
			continue
		}
		target, err := content(f.ID)
		if err != nil {
			return nil, err
		}
		l[f.Path], _, _ = strings.Cut(string(target), "\x00") // the kernel's name ends there
	}
	return l, nil
}

// leaves reports whether a link leads out of the repository.
func (l Links) leaves(name string) bool {
	_, inside := l.End(name)
	return !inside
}

// End follows a link as the kernel does: part by part, through other links. It returns
// the path at which the link ends, inside the repository; "" where it cannot be opened,
// or is no link.
func (l Links) End(name string) (end string, inside bool) {
	target, is := l[name]
	if !is {
		return "", true
	}
	// at is where the walk is, rest what it still has to go.
	at, rest, hops := DirOf(name), target, 1
	for rest != "" {
		if strings.HasPrefix(rest, "/") {
			return "", false
		}
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		rest = strings.TrimLeft(rest, "/")
		switch {
		case part == "" || part == ".":
			continue
		case part == ".." && at == ".":
			return "", false
		case part == "..":
			at = DirOf(at)
			continue
		case at == "." && strings.EqualFold(part, ".git"):
			return "", false
		}
		next := path.Join(at, part)
		further, link := l[next]
		if !link {
			at = next
			continue
		}
		if hops++; hops > mostHops {
			return "", true
		}
		if strings.HasPrefix(further, "/") {
			return "", false
		}
		rest = further + slashed(rest)
	}
	return at, true
}

func slashed(rest string) string {
	if rest == "" {
		return ""
	}
	return "/" + rest
}
