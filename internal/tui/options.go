package tui

import (
	"context"
	"os"
	"time"

	"ralph/internal/engine"
	"ralph/internal/report"
)

// Engine is what the screen asks of an engine.Loops.
type Engine interface {
	Marks(ctx context.Context, f engine.Filter) ([]engine.Mark, error)
	Show(ctx context.Context, id string) (engine.Loop, error)
	Events(ctx context.Context, id string, after int64) ([]engine.Record, error)
	Send(ctx context.Context, id string, c engine.Command) (engine.Outcome, error)
}

// Options of a screen. Engine, In, Out and Now are needed.
type Options struct {
	Engine Engine
	// Plans are those that go on, and the newest that have ended. Nil: none are
	// shown. Commands to them go through Engine.Send and Resume.
	Plans func(context.Context) ([]Plan, error)
	// Resume starts a process of its own that goes on with a loop, and returns
	// when it has begun. Nil: the command to type is shown instead.
	Resume func(ctx context.Context, id string) error
	// Project names the repository. Open is the id of the loop to begin with.
	Project, Open string
	// By is who sends commands.
	By string
	// Palette says what the terminal can show; its width is not used.
	Palette report.Palette

	// In and Out are the terminal, Env tells of which kind.
	In, Out *os.File
	Env     []string
	Now     func() time.Time
}
