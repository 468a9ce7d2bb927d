package config

import (
	"math"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"
)

// Whole is a whole number with a lower bound. Zero is not set for a Count.
type Whole[B bound] struct {
	set   bool
	value int
}

type bound interface{ least() int }

type (
	one  struct{}
	none struct{}
)

func (one) least() int  { return 1 }
func (none) least() int { return 0 }

// Count is at least 1; Allowance may be 0, which means never.
type (
	Count     = Whole[one]
	Allowance = Whole[none]
)

// most keeps sums and products far from overflow.
const most = 1_000_000

func whole[B bound](n int) Whole[B] { return Whole[B]{set: true, value: n} }

// Int returns the number, 0 without one.
func (w Whole[B]) Int() int { return w.value }

// Ptr returns nil without a number.
func (w Whole[B]) Ptr() *int {
	if !w.set {
		return nil
	}
	n := w.value
	return &n
}

func (w *Whole[B]) scan(n *yaml.Node) *problem {
	s, p := word(n, "a number")
	if p != nil {
		return p
	}
	var b B
	v, err := strconv.Atoi(s)
	switch {
	case err != nil || s != strconv.Itoa(v):
		return problemf("write a whole number in plain digits, at least "+strconv.Itoa(b.least()), "%s is not a whole number", clip(s))
	case v < b.least():
		return problemf("write "+strconv.Itoa(b.least())+" or more", "%d is too small", v)
	case v > most:
		return problemf("write "+strconv.Itoa(most)+" or less", "%d is too large", v)
	}
	*w = whole[B](v)
	return nil
}

func (w *Whole[B]) String() string {
	if !w.set {
		return ""
	}
	return strconv.Itoa(w.value)
}

func (*Whole[B]) shape() string {
	var b B
	return "whole number ≥ " + strconv.Itoa(b.least())
}

func (*Whole[B]) schema() *jsonschema.Schema {
	var b B
	return &jsonschema.Schema{Type: "integer", Minimum: num(b.least()), Maximum: num(most)}
}

// Threshold is a floor in per cent, or the value at the start.
type Threshold struct {
	Percent  *float64
	Baseline bool
}

func (t *Threshold) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	if s == "baseline" {
		*t = Threshold{Baseline: true}
		return nil
	}
	v, p := percent(s)
	*t = Threshold{Percent: &v}
	return p
}

// percent reads 80, 80.5 or 80%. NaN is refused: every comparison with it is
// false, so a gate would never fail.
func percent(s string) (float64, *problem) {
	const hint = "write a number from 0 to 100"
	digits := strings.TrimSpace(strings.TrimSuffix(s, "%"))
	v, err := strconv.ParseFloat(digits, 64)
	switch {
	case err != nil || strings.Trim(digits, "+-.0123456789") != "":
		return 0, problemf(hint+`, or "baseline"`, "%s is not a percentage", clip(s))
	case math.IsNaN(v) || v < 0 || v > 100 || math.Signbit(v):
		return 0, problemf(hint, "%s is not between 0 and 100", clip(s))
	}
	return v, nil
}

func (t *Threshold) String() string {
	switch {
	case t.Baseline:
		return "baseline"
	case t.Percent != nil:
		return strconv.FormatFloat(*t.Percent, 'f', -1, 64)
	}
	return ""
}
func (*Threshold) shape() string { return "0 to 100 | baseline" }
func (*Threshold) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "number", Minimum: num(0), Maximum: num(100)},
		patternSchema(`^(baseline|\d+(\.\d+)?%?)$`),
	}}
}

// Share is a part of something in per cent, less than all of it.
type Share struct {
	set     bool
	Percent float64
}

func (p *Share) scan(n *yaml.Node) *problem {
	text, bad := scalar(n)
	if bad != nil {
		return bad
	}
	v, bad := percent(text)
	switch {
	case bad != nil:
		return problemf("write a number from 0 to 99, such as 20%", "%s is not a percentage", clip(text))
	case v > 99:
		return problemf("write 99% or less", "%s leaves nothing to use", clip(text))
	}
	*p = Share{true, v}
	return nil
}

func (p *Share) String() string {
	if !p.set {
		return ""
	}
	return strconv.FormatFloat(p.Percent, 'f', -1, 64) + "%"
}
func (*Share) shape() string { return "0% to 99%" }
func (*Share) schema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "number", Minimum: num(0), Maximum: num(99)}, patternSchema(`^\d+(\.\d+)?%?$`),
	}}
}
