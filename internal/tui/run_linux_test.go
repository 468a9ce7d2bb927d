package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"ralph/internal/engine"
)

// breaking names the mistake with which this program shows a screen instead of
// being tested.
const breaking = "RALPH_TEST_SCREEN_BREAKS"

func TestMain(m *testing.M) {
	if mistake := os.Getenv(breaking); mistake != "" {
		o := Options{Engine: &fake{loops: everyone()}, In: os.Stdin, Out: os.Stdout, Env: os.Environ(), Now: time.Now}
		mistakes()[mistake](&o)
		err := Run(context.Background(), o)
		fmt.Fprintf(os.Stderr, "ended with a panic: %v\n", errors.Is(err, tea.ErrProgramPanic))
		return
	}
	m.Run()
}

// mistakes are in a command, where a message is taken, and where the screen is
// drawn.
func mistakes() map[string]func(*Options) {
	return map[string]func(*Options){
		"asking": func(o *Options) { o.Engine = broken{&fake{}} },
		"taking": func(o *Options) {
			needingUser := 0
			o.Now = func() time.Time {
				if needingUser++; needingUser > 1 {
					panic("no clock")
				}
				return clockAt(12, 0)
			}
		},
		"drawing": func(o *Options) { o.Engine = &fake{err: emptyList{}} },
	}
}

// TestAPanicRestoresTheTerminal, wherever it is.
func TestAPanicRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	for name := range mistakes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			near, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer near.Close()
			before, _ := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
			var drawn, words bytes.Buffer
			read := make(chan struct{})
			go func() { _, _ = io.Copy(&drawn, near); close(read) }()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), breaking+"="+name, "TERM=xterm-256color")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, &words
			_ = cmd.Run()
			after, _ := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
			if before == nil || after == nil || *before != *after {
				t.Errorf("modes %+v, before %+v", after, before)
			}
			_ = tty.Close()
			<-read
			if !strings.Contains(words.String(), "ended with a panic: true") {
				t.Errorf("it said %s", words.String())
			}
			if text := drawn.String(); strings.LastIndex(text, "\x1b[?1049h") > strings.LastIndex(text, "\x1b[?1049l") {
				t.Errorf("the other screen was not left: %q", text)
			}
		})
	}
}

// broken is an engine with a mistake in it.
type broken struct{ *fake }

func (broken) Marks(context.Context, engine.Filter) ([]engine.Mark, error) { panic("a mistake") }

// nothing is an error that cannot be said.
type emptyList struct{}

func (emptyList) Error() string { panic("no words") }
