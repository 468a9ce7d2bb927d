package tui

import (
	tea "charm.land/bubbletea/v2"
)

// everywhere is the screen of all repositories: a list of their runs, and over it the
// screen of the repository that was entered.
type everywhere struct {
	list  *model
	inner *model
	// entering: a repository is being opened. pressed is the key that entered it, for the
	// inner screen as soon as it has looked; nil is none.
	entering bool
	pressed  *tea.KeyPressMsg
}

// addressed is a message for one of the screens: what was asked by a screen that was left
// is dropped.
type addressed struct {
	to  *model
	msg tea.Msg
}

// entered is the result of opening a repository.
type entered struct {
	o   Options
	err error
}

// left: the user goes back from a repository.
type left struct{}

func goBack() tea.Msg { return left{} }

func (e *everywhere) Init() tea.Cmd { return address(e.list, e.list.Init()) }

func (e *everywhere) View() tea.View { return e.active().View() }

func (e *everywhere) active() *model {
	if e.inner != nil {
		return e.inner
	}
	return e.list
}

// Update hands a message to the screen that it is for.
func (e *everywhere) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case addressed:
		return e, e.hand(msg)
	case entered:
		return e, e.entered(msg)
	case left:
		e.inner = nil
		return e, address(e.list, e.list.lookNow())
	case tea.WindowSizeMsg:
		_, _ = e.list.Update(msg)
	case tea.KeyPressMsg:
		if e.inner == nil && e.enters(msg) {
			return e, e.enter(msg)
		}
	}
	to := e.active()
	_, cmd := to.Update(msg)
	return e, address(to, cmd)
}

// hand gives an answer to the screen that asked, unless it was left.
func (e *everywhere) hand(a addressed) tea.Cmd {
	if a.to != e.list && a.to != e.inner {
		return nil
	}
	_, cmd := a.to.Update(a.msg)
	cmd = address(a.to, cmd)
	if _, is := a.msg.(looked); !is || a.to != e.inner || e.pressed == nil {
		return cmd
	}
	key := *e.pressed
	e.pressed = nil
	return tea.Batch(cmd, address(a.to, a.to.key(key)))
}

// address directs what a command answers to the screen that gave it.
func address(to *model, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for i := range msg {
				msg[i] = address(to, msg[i])
			}
			return msg
		case tick, looked, lookedAll, followed, sent, printed, answered, resumed:
			return addressed{to, msg}
		default:
			return msg
		}
	}
}

// enters reports whether a key of the list is about one run, or one repository.
func (e *everywhere) enters(k tea.KeyPressMsg) bool {
	if m := e.list; m.helping || m.filtering || m.dialog != nil {
		return false
	}
	switch name := k.String(); name {
	case "enter", "right", "l", "p", "r", "a", "A", "s", "n":
		return true
	default:
		_, shows := outputs[name]
		return shows
	}
}

// enter opens the repository of the chosen run. What else the key does, it does there.
func (e *everywhere) enter(k tea.KeyPressMsg) tea.Cmd {
	m := e.list
	at, ok := m.all[m.at]
	switch {
	case e.entering:
		return nil
	case !ok:
		m.warn("no run is chosen")
		return nil
	}
	e.entering, e.pressed = true, &k
	id := at.id
	switch k.String() {
	case "enter", "right":
		e.pressed = nil
	case "n": // a key of the list there
		id = ""
	}
	m.say("opening " + at.run.ID + " …")
	ctx, enter := m.ctx, m.o.All.Enter
	return func() tea.Msg {
		o, err := enter(ctx, at.key)
		o.Open, o.back = id, true
		return entered{o, err}
	}
}

// entered shows the repository.
func (e *everywhere) entered(a entered) tea.Cmd {
	e.entering = false
	e.list.note = note{}
	if a.err != nil {
		e.pressed = nil
		e.list.warn(a.err.Error())
		return nil
	}
	m := newModel(e.list.ctx, a.o)
	m.sends, m.after, m.w, m.h = e.list.sends, e.list.after, e.list.w, e.list.h
	e.inner = m
	return address(m, m.Init())
}
