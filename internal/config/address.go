package config

import (
	"net/url"
	"regexp"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// URL is an address of the web, without a login in it.
type URL string

func (u *URL) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	*u = URL(s)
	const hint = "write an address such as https://gateway.example.org/v1"
	at, err := url.Parse(s)
	switch {
	case err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http":
		return wrong(hint, "%s is no address of the web", clip(s))
	case at.User != nil || at.RawQuery != "":
		return wrong(hint+", and the key into a variable (key_env)", "an address must hold no login and no query")
	}
	return nil
}

func (u *URL) String() string           { return string(*u) }
func (*URL) shape() string              { return "address" }
func (*URL) schema() *jsonschema.Schema { return patternSchema(`^https?://`) }

// Variable is the name of an environment variable.
type Variable string

const variablePattern = `^[A-Za-z_][A-Za-z0-9_]*$`

func (v *Variable) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	*v = Variable(s)
	if !regexp.MustCompile(variablePattern).MatchString(s) {
		// It may be the key itself, which is not to be shown.
		return wrong("write the name of an environment variable, never a key", "this cannot be a variable's name")
	}
	return nil
}

func (v *Variable) String() string           { return string(*v) }
func (*Variable) shape() string              { return "variable" }
func (*Variable) schema() *jsonschema.Schema { return patternSchema(variablePattern) }
