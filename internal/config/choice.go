package config

import (
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// Choice is one of a few words.
type Choice[S words] string

// words are the words of one Choice, the default first.
type words interface {
	what() string
	words() []string
}

// The choices of this file's format.
type (
	Kind   = Choice[kindWords]
	Level  = Choice[levelWords]
	Driver = Choice[driverWords]
	Place  = Choice[placeWords]

	Learning    = Choice[learningWords]
	Permissions = Choice[permissionWords]
	Sandbox     = Choice[sandboxWords]
	Provider    = Choice[providerWords]
	SpecReview  = Choice[specWords]
	Majority    = Choice[majorityWords]
	StandIn     = Choice[standInWords]
	OnLimit     = Choice[limitWords]
	OnSpent     = Choice[spentWords]
)

type (
	kindWords   struct{}
	levelWords  struct{}
	driverWords struct{}
	placeWords  struct{}

	learningWords   struct{}
	permissionWords struct{}
	sandboxWords    struct{}
	providerWords   struct{}
	specWords       struct{}
	majorityWords   struct{}
	standInWords    struct{}
	limitWords      struct{}
	spentWords      struct{}
)

// natives are the agents whose programs are driven through their own protocols.
func natives() []string { return []string{"claude", "codex", "gemini", "opencode"} }

func (kindWords) what() string { return "kind of gate" }
func (kindWords) words() []string {
	return []string{"command", "tests", "coverage", "lint", "types", "visual", "human"}
}
func (levelWords) what() string    { return "level" }
func (levelWords) words() []string { return []string{"hard", "soft"} }
func (driverWords) what() string   { return "kind of agent" }
func (driverWords) words() []string {
	return append(natives(), "acp", "api", "command", "human", "script")
}
func (placeWords) what() string    { return "tree" }
func (placeWords) words() []string { return []string{"gate", "agent"} }

func (learningWords) what() string    { return "way of learning" }
func (learningWords) words() []string { return []string{"on", "reviewed", "off"} }

func (permissionWords) what() string    { return "level of permissions" }
func (permissionWords) words() []string { return []string{"default", "skip"} }

func (providerWords) what() string    { return "provider of models" }
func (providerWords) words() []string { return []string{"anthropic", "openai", "ollama"} }

func (specWords) what() string    { return "way to review" }
func (specWords) words() []string { return []string{"auto", "on", "off"} }

func (majorityWords) what() string    { return "rule of a vote" }
func (majorityWords) words() []string { return []string{"majority", "unanimous"} }

func (standInWords) what() string    { return "way out" }
func (standInWords) words() []string { return []string{"ask", "self"} }
func (sandboxWords) what() string    { return "way to hold agents" }
func (sandboxWords) words() []string {
	return []string{"auto", "require", "bubblewrap", "landlock", "off"}
}

func (limitWords) what() string    { return "way to bear a usage limit" }
func (limitWords) words() []string { return []string{"wait", "switch", "pause"} }

func (spentWords) what() string    { return "way to bear a used-up budget" }
func (spentWords) words() []string { return []string{"stop", "pause"} }

func (c *Choice[S]) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	var set S
	*c = Choice[S](s)
	return oneOf(s, set.words(), set.what())
}

func (c *Choice[S]) String() string { return string(*c) }

func (*Choice[S]) shape() string {
	var set S
	return strings.Join(set.words(), " | ")
}

func (*Choice[S]) schema() *jsonschema.Schema {
	var set S
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range set.words() {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func oneOf(s string, all []string, what string) *problem {
	if slices.Contains(all, s) {
		return nil
	}
	hint := "write one of: " + strings.Join(all, ", ")
	if near := nearest(s, all); near != "" {
		hint = `did you mean "` + near + `"?`
	}
	return wrong(hint, "%s is no %s", clip(s), what)
}

// Switch is on or off, with or without quotes, as in any other choice.
type Switch string

func (w *Switch) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	switch strings.ToLower(s) {
	case "on", "true", "yes":
		*w = "on"
	case "off", "false", "no":
		*w = "off"
	default:
		return wrong("write on or off", "%s is neither on nor off", clip(s))
	}
	return nil
}

// On is false where nothing was said.
func (w Switch) On() bool { return w == "on" }

func (w *Switch) String() string { return string(*w) }
func (*Switch) shape() string    { return "on | off" }
func (*Switch) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Enum: []any{true, false, "on", "off", "yes", "no"}}
}
