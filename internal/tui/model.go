package tui

import (
	"context"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/view"
)

// page is the content of the screen.
type page int

const (
	pageList page = iota
	pageStory
	pageLog
)

// model is the state of the screen. Only Update changes it.
type model struct {
	ctx context.Context
	o   Options
	ink ink
	// after returns a command that waits; tests replace it.
	after func(time.Duration, tea.Msg) tea.Cmd
	// sends are the commands in flight; Run waits for them.
	sends *sync.WaitGroup

	now  time.Time
	w, h int

	// loops are those of the newest answer, which came at asOf; trouble is why
	// there has been none since. The first question was put when it began.
	loops map[string]engine.Loop
	plans map[string]Plan
	// all are the runs of a screen of several repositories, by their ids there.
	all   map[string]placed
	began time.Time
	asOf  time.Time
	// fullDisk is a directory whose disk was full then, if any.
	fullDisk string
	lookErr  error
	looking  bool
	pulse    pulse
	moved    bool

	// overlaps are the loops that declare files that others declare too.
	overlaps map[string][]view.Overlap
	// sections are the loops that are listed, in order; at is the chosen one.
	sections []view.Section
	order    []string
	at       string
	list     scroll

	page page
	// open is the loop of the pages story and log.
	open  string
	story storyPage
	log   *logPage
	// helping: the help covers the page.
	helping bool
	help    scroll

	// out, where it is there, covers the page. armed is the command that the same key
	// runs when it is pressed again.
	out   *outputPage
	armed string

	// draft is the text of a new run that was not started.
	draft string

	filter    editor
	filtering bool
	dialog    *dialog
	note      note
}

func newModel(ctx context.Context, o Options) *model {
	o.Palette.Width = 0
	m := &model{
		ctx: ctx, o: o, ink: ink(o.Palette.Color), sends: &sync.WaitGroup{},
		after: func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) },
		now:   o.Now(), loops: map[string]engine.Loop{}, open: o.Open, at: o.Open,
	}
	m.began = m.now
	if o.Open != "" {
		m.page = pageStory
	}
	return m
}

// Init asks for the loops for the first time.
func (m *model) Init() tea.Cmd { return tea.Batch(m.look(), m.scheduleTick()) }

// Update handles one message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tick:
		return m, m.tick(msg)
	case looked:
		return m, m.applyLook(msg)
	case lookedAll:
		return m, m.applyLookAll(msg)
	case followed:
		return m, m.applyFollowed(msg)
	case sent:
		return m, m.sent(msg)
	case printed:
		return m, m.printed(msg)
	case answered:
		return m, m.answered(msg)
	case resumed:
		return m, m.resumed(msg)
	case foreground:
		return m, m.returned(msg)
	}
	return m, nil
}

// chosen returns the loop that keys act on: the open one, or the selected one of
// the list.
func (m *model) chosen() (view.Run, bool) {
	id := m.at
	if m.page != pageList {
		id = m.open
	}
	return m.run(id)
}

// Engine is the part of an engine that the screen uses.
type Engine interface {
	Marks(ctx context.Context, f engine.Filter) ([]engine.Mark, error)
	Show(ctx context.Context, id string) (engine.Loop, error)
	Events(ctx context.Context, id string, after int64) ([]engine.Event, error)
	Send(ctx context.Context, id string, c engine.Command) (engine.Outcome, error)
}

// Options of a screen. Engine or All, In, Out and Now are needed.
type Options struct {
	// All are the repositories of a screen of several of them.
	All *All
	// Root, where set, is the repository that commands to type name.
	Root string
	// back: the user goes back from here to a screen of several repositories.
	back   bool
	Engine Engine
	// Plans returns the active plans and the newest that have ended; nil shows
	// none. Commands to them go through Engine.Send and Resume.
	Plans func(context.Context) ([]Plan, error)
	// Answer answers a question, continues the run as it ran before, and returns what to
	// tell the user; an error tells why the answer was not taken.
	Answer func(ctx context.Context, a Answer) (string, error)
	// Resume starts a process that resumes a loop, and returns when it has
	// started; nil shows the command to type instead.
	Resume func(ctx context.Context, id string) error
	// Command runs a command of ralph that asks nothing and returns what it prints and
	// its exit code; nil shows the command to type instead.
	Command func(args ...string) (string, int)
	// FullDisk returns a directory whose disk is full, if any; nil: not known.
	FullDisk func() string
	// Project names the repository. Open is the id of the loop to begin with.
	Project, Open string
	// By is who sends commands.
	By string
	// Palette says what the terminal can show; its width is not used.
	Palette view.Palette

	// In and Out are the terminal, Env tells of which kind.
	In, Out *os.File
	Env     []string
	Now     func() time.Time
}
