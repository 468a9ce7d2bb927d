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

// How a screen was left, where no key did it.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrTerminated  = errors.New("terminated, or the terminal is gone")
)

// frames a second are drawn at most. Nothing here moves faster than a person
// types, and each frame costs an idle machine a little.
const frames = 20

// closing is how long a terminal that takes no output is waited for; finishing
// how long commands to loops are that were sent just before.
const (
	closing   = 2 * time.Second
	finishing = 10 * time.Second
)

// Run shows the screen until a person leaves it, ctx ends or a signal comes.
// However that is, the terminal is as it was before.
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
	p := tea.NewProgram(m, tea.WithInput(terminal{o.In, cancel}), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env),
		tea.WithFPS(frames), tea.WithoutSignalHandler(), tea.WithFilter(sized))
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	err = wait(ctx, p, ended, signals, cancel)
	if restored := term.Restore(int(o.In.Fd()), before); err == nil && restored != nil && !errors.Is(restored, syscall.EIO) {
		err = fmt.Errorf("restore the terminal: %w", restored)
	}
	finish(m, stop)
	return err
}

// finish lets commands that are under way come to their end, within reason.
// What is cut off here is taken up by whoever runs the loop next.
func finish(m *model, stop context.CancelFunc) {
	defer m.sends.Wait()
	defer time.AfterFunc(finishing, stop).Stop()
	m.sends.Wait()
}

// wait returns when the screen has closed. One that is told to close and does
// not, because its terminal takes no output, is left as it is.
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
			left, late = nil, time.After(closing)
			go p.Quit()
		case <-late:
			return context.Cause(ctx)
		}
	}
}

func verdict(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("the screen broke down; the loops go on: %w", err)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, syscall.EIO):
		return ErrTerminated
	}
	return err
}

// terminal is the input of a terminal. When it ends, so does the screen: nobody
// is there any more, whether or not a signal says so.
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

// sized gives a terminal that does not know its size the usual one.
func sized(_ tea.Model, msg tea.Msg) tea.Msg {
	if s, ok := msg.(tea.WindowSizeMsg); ok && (s.Width <= 0 || s.Height <= 0) {
		return tea.WindowSizeMsg{Width: 80, Height: 24}
	}
	return msg
}

// woken: the screen is back from the background, or could not go there.
type woken struct{ slept bool }

// suspend gives the terminal back to the shell until fg.
func (m *model) suspend() tea.Cmd {
	s := &stopper{}
	return tea.Exec(s, func(error) tea.Msg { return woken{s.slept} })
}

// stopper is what runs while the terminal is not ours.
type stopper struct{ slept bool }

func (s *stopper) Run() error {
	s.slept = stop()
	return nil
}

// The terminal needs no streams of ours while we are stopped.
func (*stopper) SetStdin(io.Reader)  {}
func (*stopper) SetStdout(io.Writer) {}
func (*stopper) SetStderr(io.Writer) {}

// awake says where ctrl-z did nothing, and looks at once.
func (m *model) awake(w woken) tea.Cmd {
	if !w.slept {
		m.warn("there is no shell to go back to: q leaves")
	}
	return m.hurry()
}
