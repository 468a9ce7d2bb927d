package config

import (
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"

	"ralph/internal/loop"
)

// longest is the longest duration accepted. Twenty times of it fit a
// time.Duration, so that a timeout multiplier cannot overflow.
const longest = 100_000 * time.Hour

const durationPattern = `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`

// Span is a length of time above zero.
type Span time.Duration

func (d *Span) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	v, p := span(s)
	*d = Span(v)
	return p
}
func (d *Span) String() string           { return short(time.Duration(*d)) }
func (*Span) shape() string              { return "duration" }
func (*Span) schema() *jsonschema.Schema { return patternSchema(durationPattern) }

func span(s string) (time.Duration, *problem) {
	const hint = "write a number with a unit, such as 90s, 20m or 8h"
	v, err := time.ParseDuration(s)
	switch {
	case err != nil || strings.HasPrefix(s, "+") || s == "0":
		return 0, problemf(hint, "%s is not a duration", clip(s))
	case v <= 0:
		return 0, problemf(hint, "%s is not above zero", clip(s))
	case v > longest:
		return 0, problemf("write at most "+short(longest), "%s is too long", clip(s))
	}
	return v, nil
}

// short returns 20m where Duration.String returns 20m0s.
func short(d time.Duration) string {
	if d == 0 {
		return ""
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// Pause is a Span that can be off.
type Pause struct {
	Off   bool
	After time.Duration
}

func (d *Pause) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	switch strings.ToLower(s) {
	case "off", "false", "no":
		*d = Pause{Off: true}
		return nil
	}
	v, p := span(s)
	*d = Pause{After: v}
	return p
}

func (d *Pause) String() string {
	if d.Off {
		return "off"
	}
	return short(d.After)
}
func (*Pause) shape() string { return "duration | off" }
func (*Pause) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		patternSchema(durationPattern), {Enum: []any{"off", "no", false}},
	}}
}

// Deadline is {soft: 45m, hard: 60m}; a single duration is the hard part. A
// missing soft part means no warning, a missing hard part the built-in one.
type Deadline loop.Deadline

func (d *Deadline) scan(n *yaml.Node) *problem {
	if n.Kind != yaml.MappingNode {
		var hard Span
		p := hard.scan(n)
		*d = Deadline{Hard: time.Duration(hard)}
		return p
	}
	pairs, bad := pairsOf(n)
	if len(bad) > 0 {
		return bad[0]
	}
	*d = Deadline{}
	for _, kv := range pairs {
		if p := d.part(kv); p != nil {
			return p
		}
	}
	if d.Hard > 0 && d.Soft > d.Hard {
		return problemf("make hard the larger one", "soft %s is above hard %s", short(d.Soft), short(d.Hard))
	}
	return nil
}

func (d *Deadline) part(kv pair) *problem {
	into := map[string]*time.Duration{"soft": &d.Soft, "hard": &d.Hard}[kv.name]
	if into == nil {
		return oneOf(kv.name, []string{"soft", "hard"}, "part of a deadline").at(kv.key)
	}
	var v Span
	if p := v.scan(kv.value); p != nil {
		return p.at(kv.value)
	}
	*into = time.Duration(v)
	return nil
}

func (d *Deadline) String() string {
	switch {
	case d.Soft == 0:
		return short(d.Hard)
	case d.Hard == 0:
		return "{soft: " + short(d.Soft) + "}"
	}
	return "{soft: " + short(d.Soft) + ", hard: " + short(d.Hard) + "}"
}
func (*Deadline) shape() string { return "duration | {soft, hard}" }
func (*Deadline) schema() *jsonschema.Schema {
	parts := map[string]*jsonschema.Schema{"soft": patternSchema(durationPattern), "hard": patternSchema(durationPattern)}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		patternSchema(durationPattern),
		{Type: "object", Properties: parts, PropertyOrder: []string{"soft", "hard"}, AdditionalProperties: closed(), MinProperties: new(1)},
	}}
}
