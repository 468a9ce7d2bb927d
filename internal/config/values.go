package config

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"
)

// The types of settings that are one text or a list of texts; valueKinds says
// what each accepts.
type (
	Text     string // any text but the empty one
	Path     string // a file or folder in the repository, with forward slashes, cleaned
	LogPath  string // a .jsonl file in the repository
	Parser   string // the format of test results
	URL      string // an HTTP address without a login
	Variable string // the name of an environment variable
	Switch   string // on or off
	Hours    string // hours of the week, see package quiet
	Folder   string // a folder anywhere, absolute or below the home directory

	File      string // a file anywhere, absolute or below the home directory
	EngineURL string // the address of a team's engine, or local

	List    []string
	Paths   []string // files in the repository
	Globs   []string // path patterns in the repository
	Folders []string // folders anywhere, absolute or below the home directory
	Hides   []string // what a sandbox hides
)

// The types of settings that are one of a few words.
type (
	Kind        string
	Level       string
	Driver      string
	Place       string
	Learning    string
	Disputes    string
	Secrets     string
	Permissions string
	Sandbox     string
	Provider    string
	SpecReview  string
	Majority    string
	StandIn     string
	OnLimit     string
	OnSpent     string
	OnFailure   string
	Unattended  string
	WholeReview string
	Keeping     string
	Approver    string
	Proof       string
	IfGreen     string
	Judges      string
	Strategy    string
)

// On reports whether the switch is on; a switch that was not set is off.
func (w Switch) On() bool { return w == "on" }

// valueKind describes one type of text setting.
type valueKind struct {
	// takes is shown to users.
	takes string
	// jsonSchema is shared: callers copy it.
	jsonSchema jsonschema.Schema
	// check returns the text to keep.
	check func(string) (string, *problem)
}

var valueKinds = sync.OnceValue(func() map[reflect.Type]valueKind {
	return map[reflect.Type]valueKind{
		reflect.TypeFor[Text]():     {"text", textSchema, keep},
		reflect.TypeFor[Path]():     {"path in the repository", jsonschema.Schema{Type: "string"}, inside},
		reflect.TypeFor[LogPath]():  {"path of a .jsonl file in the repository", pattern(`[^/]\.jsonl$`), logPath},
		reflect.TypeFor[Parser]():   {strings.Join(parsers, " | ") + " | junit:<path>", pattern("^(" + strings.Join(parsers, "|") + "|junit:.+)$"), parser},
		reflect.TypeFor[URL]():      {"address", pattern(`^https?://`), address},
		reflect.TypeFor[Variable](): {"variable", pattern(variablePattern), variable},
		reflect.TypeFor[Switch]():   {"on | off", jsonschema.Schema{Enum: []any{true, false, "on", "off", "yes", "no"}}, onOff},

		reflect.TypeFor[File]():      {"absolute path of a file", jsonschema.Schema{Type: "string"}, anywhere},
		reflect.TypeFor[EngineURL](): {"local | address of an engine", pattern(`^(local|[a-z]+://.+)$`), engineURL},
		reflect.TypeFor[Concealed](): {"text, never shown", textSchema, keep},
		reflect.TypeFor[Refusals]():  listOfKind("concern to refuse", refusalCodes()...),
		reflect.TypeFor[Notices]():   listOfKind("event", noticeKinds()...),
		reflect.TypeFor[Hours]():     {"hours", pattern(`^[A-Za-z0-9:, -]+$`), hours},

		reflect.TypeFor[List]():    {"list of text", listSchema, keep},
		reflect.TypeFor[Paths]():   {"list of paths", listSchema, inside},
		reflect.TypeFor[Globs]():   {"list of globs", listSchema, glob},
		reflect.TypeFor[Folder]():  {"folder", jsonschema.Schema{Type: "string"}, anywhere},
		reflect.TypeFor[Folders](): {"list of folders", listSchema, anywhere},
		reflect.TypeFor[Hides]():   {"list of paths to hide", listSchema, hidden},

		reflect.TypeFor[Kind]():        oneOfKind("gate kind", gateKinds...),
		reflect.TypeFor[Level]():       oneOfKind("level", "hard", "soft"),
		reflect.TypeFor[Driver]():      oneOfKind("agent kind", append(natives, "acp", "api", "command", "human", "script")...),
		reflect.TypeFor[Place]():       oneOfKind("tree", "gate", "agent"),
		reflect.TypeFor[Proof]():       oneOfKind("proof", "required", "review", "none"),
		reflect.TypeFor[IfGreen]():     oneOfKind("choice", "work", "stop"),
		reflect.TypeFor[Strategy]():    oneOfKind("strategy", "merge", "squash", "rebase"),
		reflect.TypeFor[Judges]():      oneOfKind("choice", "base", "reviewed"),
		reflect.TypeFor[Disputes]():    oneOfKind("dispute policy", "wait", "dismiss"),
		reflect.TypeFor[Secrets]():     oneOfKind("secret policy", "warn", "block", "off"),
		reflect.TypeFor[Learning]():    oneOfKind("learning mode", "on", "reviewed", "off"),
		reflect.TypeFor[Permissions](): oneOfKind("permission level", "default", "skip"),
		reflect.TypeFor[Sandbox]():     oneOfKind("sandbox", "auto", "require", "bubblewrap", "landlock", "off"),
		reflect.TypeFor[Provider]():    oneOfKind("model provider", "anthropic", "openai", "ollama"),
		reflect.TypeFor[SpecReview]():  oneOfKind("review mode", "auto", "on", "off"),
		reflect.TypeFor[Majority]():    oneOfKind("voting rule", "majority", "unanimous"),
		reflect.TypeFor[StandIn]():     oneOfKind("fallback", "ask", "self"),
		reflect.TypeFor[OnLimit]():     oneOfKind("reaction to a usage limit", "wait", "switch", "pause", "ask"),
		reflect.TypeFor[OnSpent]():     oneOfKind("reaction to a used-up budget", "stop", "pause"),
		reflect.TypeFor[OnFailure]():   oneOfKind("policy", "skip", "stop", "ask"),
		reflect.TypeFor[Unattended]():  oneOfKind("policy", "wait", "default", "fail"),
		reflect.TypeFor[WholeReview](): oneOfKind("plan review", "magi", "council"),
		reflect.TypeFor[Keeping]():     oneOfKind("archive mode", "keep", "move"),
		reflect.TypeFor[Approver]():    oneOfKind("approver", "off", "person", "review"),
	}
})

var (
	// natives are the agents whose programs are driven through their own protocols.
	natives   = []string{"claude", "codex", "gemini", "opencode", "copilot", "qwen"}
	gateKinds = []string{"command", "tests", "coverage", "lint", "types", "mutation", "visual", "human"}
	parsers   = []string{"auto", "exit", "gotest", "junit", "tap", "pytest", "node"}
)

func oneOfKind(what string, words ...string) valueKind {
	schema := jsonschema.Schema{Type: "string"}
	for _, w := range words {
		schema.Enum = append(schema.Enum, w)
	}
	return valueKind{strings.Join(words, " | "), schema, func(s string) (string, *problem) { return s, oneOf(s, words, what) }}
}

// listOfKind is a list of such words.
func listOfKind(what string, words ...string) valueKind {
	one := oneOfKind(what, words...)
	one.takes = "list of: " + strings.Join(words, ", ")
	one.jsonSchema = jsonschema.Schema{AnyOf: []*jsonschema.Schema{new(one.jsonSchema), {Type: "array", Items: new(one.jsonSchema)}}}
	return one
}

// oneOf returns nil where s is one of the words.
func oneOf(s string, words []string, what string) *problem {
	if slices.Contains(words, s) {
		return nil
	}
	hint := "write one of: " + strings.Join(words, ", ")
	if near := nearest(s, words); near != "" {
		hint = `did you mean "` + near + `"?`
	}
	return problemf(hint, "%s is not a valid %s", clip(s), what)
}

// textLeaf is a setting of a type in valueKinds.
type textLeaf struct {
	value reflect.Value
	valueKind
}

func (l textLeaf) scan(n *yaml.Node) *problem {
	if l.value.Kind() == reflect.Slice {
		all, p := texts(n, l.check)
		if p == nil {
			l.value.Set(reflect.ValueOf(all).Convert(l.value.Type()))
		}
		return p
	}
	s, p := scalar(n)
	if p == nil {
		s, p = l.check(s)
	}
	if p == nil {
		l.value.SetString(s)
	}
	return p
}

func (l textLeaf) String() string {
	if l.value.Kind() == reflect.Slice {
		return flow(l.value.Convert(reflect.TypeFor[[]string]()).Interface().([]string))
	}
	return l.value.String()
}

func (l textLeaf) shape() string { return l.takes }

func (l textLeaf) schema() *jsonschema.Schema {
	s := l.jsonSchema
	return &s
}

// ofWords: the setting is a list of words, none of which has a comma in it.
func (l textLeaf) ofWords() bool {
	return l.value.IsValid() && slices.Contains([]reflect.Type{reflect.TypeFor[Refusals](), reflect.TypeFor[Notices]()}, l.value.Type())
}

// texts reads a list, or one text as a list of one, each through check.
func texts(n *yaml.Node, check func(string) (string, *problem)) ([]string, *problem) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	all := make([]string, 0, len(items))
	for _, item := range items {
		item = deref(item)
		s, p := scalar(item)
		if p == nil {
			s, p = check(s)
		}
		if p != nil {
			return nil, p.at(item)
		}
		all = append(all, s)
	}
	return all, nil
}

// textSchema takes any plain value: YAML reads an unquoted true as a boolean,
// which is still a fine text.
var textSchema = jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}

var listSchema = jsonschema.Schema{AnyOf: append(slices.Clone(textSchema.AnyOf), &jsonschema.Schema{Type: "array", Items: &textSchema})}

func pattern(p string) jsonschema.Schema { return jsonschema.Schema{Type: "string", Pattern: p} }

func patternSchema(p string) *jsonschema.Schema {
	s := pattern(p)
	return &s
}
