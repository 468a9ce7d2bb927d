package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// Sources are the layers as they were found. Nil is a file that is not there.
type Sources struct {
	Flags []Setting
	// Env is the whole environment, NAME=value; only RALPH_* is looked at.
	Env     []string
	Project *Source
	User    *Source
}

// Setting is a value that a flag gave: --max-iterations 3 is
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
}

// Resolve lays the layers over each other and checks the result. Its error is
// an Errors.
func Resolve(src Sources) (*Resolved, error) {
	r := &Resolved{Settings: *defaults(), origins: map[string]Origin{}}
	errs := r.file(UserLayer, src.User)
	errs = append(errs, r.file(ProjectLayer, src.Project)...)
	errs = append(errs, r.environment(src.Env)...)
	errs = append(errs, r.flags(src.Flags)...)
	if len(errs) > 0 {
		return nil, errs
	}
	r.complete()
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

// Origin tells where the value of a key came from.
func (r *Resolved) Origin(key string) Origin {
	if o, ok := r.origins[key]; ok {
		return o
	}
	return Origin{Layer: BuiltIn}
}

// Values lists every key that has a value, with its origin.
func (r *Resolved) Values() []Value {
	var all []Value
	paths, byPath := leaves(&r.Settings)
	for _, path := range paths {
		if text := shown(byPath[path]); text != "" {
			all = append(all, Value{Key: path, Value: text, Origin: r.Origin(path)})
		}
	}
	return all
}

// defaults are the built-in values, loop's own.
func defaults() *Settings {
	l, driven := loop.DefaultLimits(), loop.DrivenLimits()
	return &Settings{
		Version: 1,
		GatesIn: "gate",
		Sandbox: "auto",
		Learn:   "on",
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
		Plans:  Plans{Parallel: whole[one](3), OnFailure: "skip", Unattended: "wait", AnswerAfter: Pause{After: 10 * time.Minute}, Approve: "off", Trust: "off", Review: "magi", Archive: "keep"},
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

// Origin tells who gave a value. File is the file's name, the variable or the
// flag; Line and Column are 0 outside files.
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

// Value is one effective value as `ralph config show` prints it.
type Value struct {
	Key    string
	Value  string
	Origin Origin
}

// secretName is what variables are called that should not be on a screen. The
// settings are no place for secrets; whoever put one there all the same need not
// find it in the text that he shows somebody.
var secretName = lazyregexp.New(`(?i)(^|_)(key|apikey|token|secret|password|passwd|pwd|credentials?|auth)(_|$)`)

const masked = "(set, not shown)"

// shown is a value as it may be printed.
func shown(value fmt.Stringer) string {
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
