package view

import (
	"strings"

	"ralph/internal/loop"
)

// Palette says what a screen can show. The zero value is plain text in UTF-8.
type Palette struct {
	// Color allows the eight colours; ASCII replaces our own marks.
	Color, ASCII bool
	// Width is the number of columns; 0 means 80.
	Width int
}

func (p Palette) width() int {
	if p.Width <= 0 {
		return 80
	}
	return max(p.Width, 40)
}

func (p Palette) paint(code, s string) string {
	if !p.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p Palette) good(s string) string { return p.paint("32", s) }
func (p Palette) bad(s string) string  { return p.paint("31", s) }
func (p Palette) ask(s string) string  { return p.paint("33", s) }
func (p Palette) dim(s string) string  { return p.paint("2", s) }
func (p Palette) bold(s string) string { return p.paint("1", s) }

// verdict is a gate's mark in its colour.
func (p Palette) verdict(v loop.Verdict) string {
	switch v {
	case loop.Passed:
		return p.good("✓")
	case loop.Skipped, "":
		return p.dim("·")
	}
	return p.bad("✗")
}

// status is a status' mark and word in its colour.
func (p Palette) status(st loop.Status, r loop.Reason) string {
	switch st {
	case loop.StatusPassed:
		return p.good("✓ passed")
	case loop.StatusFailed, loop.Aborted, Crashed:
		return p.bad("✗ " + string(st))
	case loop.Waiting:
		if r == loop.ForHuman {
			return p.ask("? needs you")
		}
		return p.ask("○ waiting")
	case loop.Running:
		return "● running"
	}
	return "○ " + string(st)
}

// Out is the last step of every text: our marks, if the screen has them, else
// what stands for them in ASCII.
func (p Palette) Out(s string) string {
	if !p.ASCII {
		return s
	}
	return strings.NewReplacer(
		"✓", "+", "✗", "x", "●", "*", "○", "o", "·", "-", "→", "->", "—", "-", "–", "-",
		"…", "...", "×", "x", "≥", ">=", "−", "-",
	).Replace(s)
}

func (p Palette) outAll(lines []string) []string {
	for i := range lines {
		lines[i] = p.Out(lines[i])
	}
	return lines
}
