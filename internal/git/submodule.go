package git

import (
	"context"
	"strings"
)

// Submodule is a repository that a commit contains, as its .gitmodules describes it.
type Submodule struct {
	Name string
	// URL may be relative to that of the repository.
	URL string
	// Update is how git updates it; empty is the usual way.
	Update string
}

// Submodules returns those of the commit that a tree of this repository is on, in the order of
// the file, without those that have no address.
func (r *Repo) Submodules(ctx context.Context, tree string) ([]Submodule, error) {
	p, err := r.at(tree)
	if err != nil {
		return nil, err
	}
	return r.submodules(ctx, p, "--blob", "HEAD:.gitmodules")
}

// Registered are the submodules that the configuration of this repository has an address of.
func (r *Repo) Registered(ctx context.Context) ([]Submodule, error) {
	return r.submodules(ctx, r.shared())
}

func (r *Repo) submodules(ctx context.Context, p place, of ...string) ([]Submodule, error) {
	args := append(append([]string{"config", "-z"}, of...), "--get-regexp", `^submodule\..*\.(url|update)$`)
	out, err := r.git(ctx, p, args...)
	if code := exitCode(err); code == 1 || code == 128 && len(of) > 0 { // none of them, no such file
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Submodule
	at := map[string]int{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		key = strings.TrimPrefix(key, "submodule.")
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 {
			continue
		}
		name := key[:dot]
		n, known := at[name]
		if !known {
			n = len(all)
			at[name], all = n, append(all, Submodule{Name: name})
		}
		switch key[dot+1:] {
		case "url":
			all[n].URL = value
		case "update":
			all[n].Update = value
		}
	}
	addressed := all[:0]
	for _, s := range all {
		if s.URL != "" {
			addressed = append(addressed, s)
		}
	}
	return addressed, nil
}

// RelativeURL returns the address of a submodule whose URL is relative to that of its
// repository, by git's rule: each "../" drops the last part of the repository's.
func RelativeURL(repository, url string) string {
	if !strings.HasPrefix(url, "./") && !strings.HasPrefix(url, "../") {
		return url
	}
	base, between := strings.TrimRight(repository, "/"), "/"
	for {
		switch {
		case strings.HasPrefix(url, "./"):
			url = url[len("./"):]
			continue
		case !strings.HasPrefix(url, "../"):
			return base + between + strings.TrimRight(url, "/")
		}
		url = url[len("../"):]
		if at := strings.LastIndexAny(base, "/"); at >= 0 {
			base = base[:at]
		} else if at := strings.LastIndexByte(base, ':'); at >= 0 {
			base, between = base[:at], ":"
		}
	}
}

// Registration returns the variables with which git takes submodules as registered, although
// no configuration has them: with these, git submodule update --init writes none.
func Registration(all []Submodule) []string {
	set := map[string]string{}
	for _, s := range all {
		set["submodule."+s.Name+".url"], set["submodule."+s.Name+".active"] = s.URL, "true"
		if s.Update != "" && !strings.HasPrefix(s.Update, "!") {
			set["submodule."+s.Name+".update"] = s.Update
		}
	}
	return asEnv(set)
}
