package git

import (
	"maps"
	"strconv"
)

// Filter is one content filter, as the user configured it.
type Filter struct {
	Clean    string `json:"clean,omitempty"`
	Smudge   string `json:"smudge,omitempty"`
	Process  string `json:"process,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// Filters is what decides the content of files, frozen when a loop starts. It
// can be stored and given back with WithFilters after a crash.
type Filters struct {
	Drivers map[string]Filter `json:"drivers,omitempty"`
	// Content holds settings such as core.autocrlf.
	Content map[string]string `json:"content,omitempty"`
}

// WithFilters answers a Repo whose calls run these filters, and no others.
// A Repo from Open runs none.
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

// into writes the settings, so that nothing configured shines through. An empty
// process would switch clean and smudge off (git takes it for the only filter),
// so that one is written only for filters that have it or must do nothing.
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

// checkFilters refuses to work where the repository now adds a process to a
// captured filter without one: it cannot be taken away by a setting.
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
