package main

import (
	"fmt"
	"slices"
	"strconv"
)

// row is one number beside its floor.
type row struct {
	what, beside string
	unit         string
	floor, ours  series
	target       target
	note         string
}

// target is the value to reach; an empty one is none.
type target struct {
	text string
	met  func(floor, ours float64) bool
}

func ratioAtMost(x float64) target {
	return target{"≤ " + strconv.FormatFloat(x, 'g', -1, 64) + "×", func(f, o float64) bool { return o <= x*f }}
}

func atMost(v float64, unit string) target {
	return target{fmt.Sprintf("≤ %v %s", v, unit), func(_, o float64) bool { return o <= v }}
}

func atLeast(v float64, unit string) target {
	return target{fmt.Sprintf("≥ %v %s", v, unit), func(_, o float64) bool { return o >= v }}
}

func (r row) reached() string {
	switch {
	case r.target.met == nil:
		return ""
	case r.target.met(r.floor.median(), r.ours.median()):
		return "yes"
	}
	return "**no**"
}

func (r row) ratio() string {
	f := r.floor.median()
	if f == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f×", r.ours.median()/f)
}

// cell is the median with the minimum and the maximum.
func (r row) cell(s series) string {
	if len(s) == 0 {
		return ""
	}
	text := figures(s.median()) + " " + r.unit
	if len(s) > 1 {
		text += " (" + figures(slices.Min(s)) + "–" + figures(slices.Max(s)) + ")"
	}
	return text
}

// figures formats a number with as many digits as its precision deserves.
func figures(v float64) string {
	switch {
	case v >= 100 || v <= -100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10 || v <= -10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
