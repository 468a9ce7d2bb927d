package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// Sources are the layers; nil is a missing file.
type Sources struct {
	Flags []Setting
	// Env is the whole environment, NAME=value; only RALPH_* is used.
	Env     []string
	Project *Source
	User    *Source
	// Tree is the root of the repository's tree; gates that are for other repositories
	// are left out. Empty keeps all.
	Tree string
	// Infer returns the kind of a gate that says none, by its command, and its parser. Nil
	// takes the exit code of every such command.
	Infer func(run string) (loop.Kind, string)
}

// Setting is the value of a flag: --max-iterations 3 is
// {Key: "limits.max_iterations", Flag: "--max-iterations", Value: "3"}.
type Setting struct {
	Key   string
	Flag  string
	Value string
}

// Resolved are the effective settings.
type Resolved struct {
	Settings Settings
	// Digest is the SHA-256 of the project file in hex, empty without one.
	Digest string

	origins map[string]Origin
	kept    []Kept
	// users has what the user's own file sets, and the sections that it names.
	users map[string]Origin
}

// Resolve merges the layers and checks the result. Its error is an Errors.
func Resolve(src Sources) (*Resolved, error) {
	r := &Resolved{Settings: *defaults(), origins: map[string]Origin{}}
	errs := r.file(UserLayer, src.User)
	errs = append(errs, r.file(ProjectLayer, src.Project)...)
	r.tighten(src.User)
	errs = append(errs, r.environment(src.Env)...)
	errs = append(errs, r.flags(src.Flags)...)
	r.choose(src.Tree, home(src.Env))
	r.complete(src.Infer)
	if len(errs) > 0 {
		return nil, errs.with(r.sections(errs))
	}
	if errs := r.check(); len(errs) > 0 {
		return nil, errs
	}
	if src.Project != nil {
		sum := sha256.Sum256(src.Project.Data)
		r.Digest = hex.EncodeToString(sum[:])
	}
	return r, nil
}

func (r *Resolved) file(layer Layer, src *Source) Errors {
	if src == nil {
		return nil
	}
	root, errs := document(*src)
	if len(errs) > 0 {
		return errs
	}
	d := decoder{file: src.Name, layer: layer, origins: r.origins}
	d.section("", root, reflect.ValueOf(&r.Settings).Elem())
	d.finish()
	return d.errs
}

// Origin returns where the value of a key comes from.
func (r *Resolved) Origin(key string) Origin {
	if o, ok := r.origins[key]; ok {
		return o
	}
	return Origin{Layer: BuiltIn}
}

// Values returns every key that has a value, with its origin.
func (r *Resolved) Values() []Value {
	var all []Value
	paths, byPath := leaves(&r.Settings)
	for _, path := range paths {
		if text := maskedText(byPath[path]); text != "" {
			all = append(all, Value{Key: path, Value: text, Origin: r.Origin(path)})
		}
	}
	return all
}

// Unset returns the keys that have no value, and may have one.
func (r *Resolved) Unset() (keys []string) {
	paths, byPath := leaves(&r.Settings)
	for _, path := range paths {
		if maskedText(byPath[path]) == "" {
			keys = append(keys, path)
		}
	}
	return keys
}

// defaults returns the built-in values.
func defaults() *Settings {
	l, driven := loop.DefaultLimits(), loop.AgentDrivenLimits()
	return &Settings{
		Version: 1,
		GatesIn: "gate",
		Sandbox: "auto", Hide: Hides{hideDefaults},
		Learn: "reviewed", Disputes: "wait", Secrets: "warn", Refuse: loop.CodeNames(loop.DefaultRefusals()),
		Proof: "required", IfGreen: "work", KeepAwake: "on", Judges: "base",
		Limits: Limits{
			MaxIterations:    whole[one](l.MaxIterations),
			ConfirmPasses:    whole[one](l.ConfirmPasses),
			MaxLoops:         whole[one](4),
			LoopTimeout:      Deadline(l.Loop),
			ImplementTimeout: Deadline(l.Attempt),
			SessionTimeout:   Deadline(l.Session),
			Stall:            Pause{After: driven.Stall},
			TransientErrors:  whole[none](l.Transient),
			BackOff:          Span(l.BackOff),
			Interruptions:    whole[none](l.Interruptions),
			Questions:        whole[none](l.Questions),
			OnUsageLimit:     "wait",
		},
		Review: Review{Spec: "auto", Quality: "off", Fallback: "ask", Require: "off", Council: Council{Rule: "majority"}},
		Budget: Budget{OnSpent: "stop"},
		Plans:  Plans{Parallel: whole[one](4), OnFailure: "skip", Unattended: "wait", AnswerAfter: Pause{After: 10 * time.Minute}, Approve: "off", Trust: "off", Review: "magi", Archive: "keep"},
		Gaps:   Gaps{Rounds: whole[none](2)},
		Notify: Notify{Debounce: Pause{After: 5 * time.Second}, Remind: Pause{After: 30 * time.Minute}},
		Accept: Accept{Strategy: "merge"},
		Serve: Serve{
			CheckpointEvery: Pause{After: 30 * time.Minute},
			MaxRescues:      whole[none](recovery.DefaultPolicy().Max),
			BackOff:         Span(recovery.DefaultPolicy().BackOff),
		},
		AgentLoops: AgentLoops{
			MaxIterations: whole[one](driven.MaxIterations),
			Timeout:       Deadline(driven.Loop),
			Regression:    whole[none](driven.Regression),
			PerParent:     whole[one](3),
		},
		Escalation: Escalation{
			SameError:      whole[one](l.StuckAfter),
			StrategyShifts: whole[none](l.MaxShifts),
			Regression:     whole[one](l.Regression),
			NoChange:       whole[one](l.NoChange),
			Plateau:        whole[one](l.Plateau),
		},
	}
}

// Layer is one of the five places a value can come from.
type Layer string

// The layers, the strongest first.
const (
	FlagLayer    Layer = "flag"
	EnvLayer     Layer = "env"
	ProjectLayer Layer = "project"
	UserLayer    Layer = "user"
	BuiltIn      Layer = "built-in"
)

// Origin is where a value comes from. File is the file's name, the variable or
// the flag; Line and Column are 0 outside files.
type Origin struct {
	Layer  Layer
	File   string
	Line   int
	Column int
}

func (o Origin) String() string {
	switch {
	case o.File == "":
		return string(BuiltIn)
	case o.Line == 0:
		return o.File
	}
	return o.File + ":" + strconv.Itoa(o.Line)
}

// Value is one effective value, as `ralph config show` prints it.
type Value struct {
	Key    string
	Value  string
	Origin Origin
}

// secretName matches variables that must not be printed: the settings are not a
// place for secrets, but users put them there.
var secretName = lazyregexp.New(`(?i)(^|_)(key|apikey|token|secret|password|passwd|pwd|credentials?|auth)(_|$)`)

const masked = "(set, not shown)"

// maskedText returns a value for printing, with secrets masked.
func maskedText(value fmt.Stringer) string {
	if t, is := value.(textLeaf); is && t.value.Type() == reflect.TypeFor[Concealed]() && t.String() != "" {
		if scheme, _, found := strings.Cut(t.String(), ":"); found && !strings.HasPrefix(scheme, "$") {
			return scheme + ":" + masked
		} else if strings.HasPrefix(t.String(), "$") {
			return t.String() // the name of a variable
		}
		return masked
	}
	vars, is := value.(*Vars)
	if !is {
		return value.String()
	}
	out := make(Vars, len(*vars))
	for name, text := range *vars {
		if text != "" && secretName.MatchString(name) {
			text = masked
		}
		out[name] = text
	}
	return out.String()
}
