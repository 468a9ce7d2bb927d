package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"ralph/internal/engine"
)

// TestAPanicRestoresTheTerminal, wherever it is: in a command, while a message
// is taken, while the screen is drawn.
func TestAPanicRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Options, *fake){
		"asking": func(o *Options, e *fake) { o.Engine = broken{e} },
		"taking": func(o *Options, _ *fake) {
			calls := 0
			o.Now = func() time.Time {
				if calls++; calls > 1 {
					panic("no clock")
				}
				return clockAt(12, 0)
			}
		},
		"drawing": func(_ *Options, e *fake) { e.err = nothing{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			near, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer near.Close()
			defer tty.Close()
			var drawn bytes.Buffer
			read := make(chan struct{})
			go func() { _, _ = io.Copy(&drawn, near); close(read) }()
			before, _ := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
			e := &fake{loops: everyone()}
			o := Options{Engine: e, In: tty, Out: tty, Env: []string{"TERM=xterm-256color"}, Now: time.Now}
			change(&o, e)
			err = Run(t.Context(), o)
			if !errors.Is(err, tea.ErrProgramPanic) {
				t.Errorf("ended with %v", err)
			}
			after, _ := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
			if before == nil || after == nil || *before != *after {
				t.Errorf("modes %+v, before %+v", after, before)
			}
			_ = tty.Close()
			<-read
			if text := drawn.String(); strings.LastIndex(text, "\x1b[?1049h") > strings.LastIndex(text, "\x1b[?1049l") {
				t.Errorf("the other screen was not left: %q", text)
			}
		})
	}
}

// broken is an engine with a mistake in it.
type broken struct{ *fake }

func (broken) Marks(_ context.Context, _ engine.Filter) ([]engine.Mark, error) { panic("a mistake") }

// nothing is an error that cannot be said.
type nothing struct{}

func (nothing) Error() string { panic("no words") }
