package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// The reasons for which Run ends without a key.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrTerminated  = errors.New("terminated, or the terminal is gone")
)

// maxFPS is low because nothing here moves faster than a user types, and each
// frame costs an idle machine a little.
const maxFPS = 20

// closeTimeout bounds the wait for a terminal that takes no output, finishTimeout
// the wait for commands in flight.
const (
	closeTimeout  = 2 * time.Second
	finishTimeout = 10 * time.Second
)

// Run shows the screen until the user leaves it, ctx ends or a signal arrives. It
// restores the terminal in each case.
func Run(ctx context.Context, o Options) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	before, err := term.GetState(int(o.In.Fd()))
	if err != nil {
		return fmt.Errorf("ask the terminal for its state: %w", err)
	}
	m := newModel(work, o)
	var screen tea.Model = m
	if o.All != nil {
		screen = &everywhere{list: m}
	}
	p := tea.NewProgram(screen, tea.WithInput(terminal{o.In, cancel}), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env),
		tea.WithFPS(maxFPS), tea.WithoutSignalHandler(), tea.WithFilter(sized))
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer func() {
		if cause := context.Cause(ctx); !errors.Is(cause, ErrInterrupted) && !errors.Is(cause, ErrTerminated) {
			signal.Stop(signals) // else the program ends, with its exit code, also where another one comes
		}
	}()

	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	err = wait(ctx, p, ended, signals, cancel)
	if restored := term.Restore(int(o.In.Fd()), before); err == nil && restored != nil && !errors.Is(restored, syscall.EIO) {
		err = fmt.Errorf("restore the terminal: %w", restored)
	}
	finish(m, stop)
	return err
}

// finish waits for commands in flight, up to finishTimeout. The next owner of a
// loop executes those that were cut off.
func finish(m *model, stop context.CancelFunc) {
	defer m.sends.Wait()
	defer time.AfterFunc(finishTimeout, stop).Stop()
	m.sends.Wait()
}

// wait returns when the screen has closed, or does not close in time because its
// terminal takes no output.
func wait(ctx context.Context, p *tea.Program, ended <-chan error, signals <-chan os.Signal, cancel context.CancelCauseFunc) error {
	var late <-chan time.Time
	left := ctx.Done()
	for {
		select {
		case err := <-ended:
			return verdict(ctx, err)
		case s := <-signals:
			cancel(map[bool]error{true: ErrInterrupted, false: ErrTerminated}[s == os.Interrupt])
		case <-left:
			left, late = nil, time.After(closeTimeout)
			go p.Quit()
		case <-late:
			return context.Cause(ctx)
		}
	}
}

func verdict(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("the screen failed; the loops continue: %w", err)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, syscall.EIO):
		return ErrTerminated
	}
	return err
}

// terminal is the input of a terminal. The screen ends with it, with or without a
// signal.
type terminal struct {
	*os.File
	gone context.CancelCauseFunc
}

func (t terminal) Read(b []byte) (int, error) {
	n, err := t.File.Read(b)
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EIO) {
		t.gone(ErrTerminated)
	}
	return n, err
}

// sized gives a terminal without a size the usual one.
func sized(_ tea.Model, msg tea.Msg) tea.Msg {
	if s, ok := msg.(tea.WindowSizeMsg); ok && (s.Width <= 0 || s.Height <= 0) {
		return tea.WindowSizeMsg{Width: 80, Height: 24}
	}
	return msg
}

// foreground: the screen returned from the background, or could not go there.
type foreground struct{ slept bool }

// suspend returns the terminal to the shell until fg.
func (m *model) suspend() tea.Cmd {
	s := &stopper{}
	return tea.Exec(s, func(error) tea.Msg { return foreground{s.slept} })
}

// stopper runs while the terminal is not ours.
type stopper struct{ slept bool }

func (s *stopper) Run() error {
	s.slept = stop()
	return nil
}

// A stopped process needs no streams.
func (*stopper) SetStdin(io.Reader)  {}
func (*stopper) SetStdout(io.Writer) {}
func (*stopper) SetStderr(io.Writer) {}

// returned warns if ctrl-z had no effect, and looks at once.
func (m *model) returned(w foreground) tea.Cmd {
	if !w.slept {
		m.warn("there is no shell to go back to: q leaves")
	}
	return m.lookNow()
}
