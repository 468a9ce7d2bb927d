package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

type storedPlan = engine.Stored[plan.State]

// plans are plans as a move needs them.
func (m *Mover) plans() kind[plan.State, plan.Event, engine.PlanLease] {
	with := m.plan != ""
	return kind[plan.State, plan.Event, engine.PlanLease]{
		machine: planMachine, noun: "plan", records: m.Plans.Stored, server: m.Plans.Server, hold: m.holdPlan, keep: m.keepPlan, keepThere: m.abandonPartsThere,
		refusals: refusals[plan.State]{
			moved: engine.PlanMovedOf, alone: m.planAlone, archived: with,
			immovable: func(s plan.State) string { return s.Immovable(with) }, same: m.samePlan, come: m.planMayCome,
		},
		leaving: leaving[plan.State, engine.PlanLease]{
			rest: m.restPlan, offer: m.offerPlan, partsOut: m.partsOut, recall: m.recallParts,
			requestThere: m.planThere, renews: true, putFiles: m.putPlanFiles, handBack: m.setBookAside,
		},
		coming: coming[plan.State, plan.Event, engine.PlanLease]{
			fetch: m.fetchPlan, pause: func(plan.State) []plan.Event { return nil }, partsBack: m.partsBack,
			requestHere: m.requestHere, create: m.createPlan, getFiles: m.getPlanFiles,
			land:     func(context.Context, engine.PlanLease, string) error { return nil },
			returned: m.planReturned, writeBack: m.writeBack,
		},
		copying: copying[plan.State, plan.Event, engine.PlanLease]{start: m.startPlan, play: playPlan, copied: copiedPlan},
	}
}

// samePlan refuses a plan that has the id of another one. The two records have the same
// event under the highest number that both have.
func (m *Mover) samePlan(ctx context.Context, here, there storedPlan) error {
	n := min(here.Seq, there.Seq)
	if n == 0 { // nothing of it was copied yet
		p := there.State.Partial
		if p == nil {
			p = here.State.Partial
		}
		if p != nil && (p.From.Same(m.Here) || p.To.Same(m.Here)) {
			return nil
		}
		return fmt.Errorf("%w on the other side, and it is another one", engine.ErrExists)
	}
	return sameEvent(ctx, planMachine, m.Plans.Stored.Events, m.Plans.Server.Events, here.State.ID, n)
}

// restPlan carries out what was sent to a plan; one whose process died is refused.
func (m *Mover) restPlan(ctx context.Context, r storedPlan) error {
	if !r.State.AtRest(m.plan != "") {
		return &CutOffError{ID: r.State.ID}
	}
	unread, err := m.Plans.Stored.Unread(ctx, r.State.ID)
	if err == nil && unread {
		err = m.Plans.Local.Rest(ctx, r.State.ID)
	}
	return err
}

// offerPlan checks everything that a move needs, and pushes the work.
func (m *Mover) offerPlan(ctx context.Context, l engine.PlanLease, exists bool) error {
	s := l.State()
	spec, err := m.requestThere(ctx, s)
	if err != nil {
		return err
	}
	if s.Move != nil {
		return m.Plans.Travel.OfferPlan(ctx, spec, s, true)
	}
	if err := m.planFits(ctx, s, spec); err != nil {
		return err
	}
	if err := m.partsMayLeave(ctx, s); err != nil {
		return err
	}
	return m.Plans.Travel.OfferPlan(ctx, spec, s, exists)
}

// planThere is the state with which the record on the server begins, and the request.
func (m *Mover) planThere(ctx context.Context, l engine.PlanLease) (s plan.State, spec []byte, err error) {
	s = l.State()
	request, err := m.requestThere(ctx, s)
	if err != nil {
		return s, nil, err
	}
	s.File = request.File
	spec, err = json.Marshal(request)
	return s, spec, err
}

// requestThere is the request of a plan as workers get it: with the content of its files.
func (m *Mover) requestThere(ctx context.Context, s plan.State) (spec engine.PlanSpec, err error) {
	r, err := m.Plans.Stored.Read(ctx, s.ID)
	if err != nil {
		return spec, err
	}
	if spec, err = requestOf(r); err != nil {
		return spec, err
	}
	if spec, err = m.Plans.Local.Freeze(ctx, s, spec, m.Plans.Name); err != nil {
		return spec, err
	}
	spec.File, spec.Rules = m.Plans.Name(s.File), s.Rules
	return spec, nil
}

// requestOf decodes the request of a plan.
func requestOf(r storedPlan) (spec engine.PlanSpec, err error) {
	if spec, err = engine.ReadPlanSpec(r.State.ID, r.Spec); err != nil {
		return spec, fmt.Errorf("%w: %w", engine.ErrDamaged, err)
	}
	return spec, nil
}

// putPlanFiles publishes the files of a plan, and what was used of its budget.
func (m *Mover) putPlanFiles(ctx context.Context, l engine.PlanLease, epoch int64) error {
	if err := m.Plans.Travel.PutPlanFiles(ctx, l.ID(), epoch, m.Plans.dir(l.ID())); err != nil {
		return err
	}
	book, err := m.Plans.books().Book(ctx, l.ID())
	if err != nil {
		return err
	}
	return m.Plans.Budgets.SetBook(ctx, l.ID(), book)
}

// setBookAside keeps the budget of a plan that left, for the case that the server is lost.
func (m *Mover) setBookAside(ctx context.Context, l engine.PlanLease) ([]string, error) {
	return nil, m.Plans.books().SetBookAside(ctx, l.ID())
}

// keepPlan abandons the server for the parts of a plan, and makes its branch.
func (m *Mover) keepPlan(ctx context.Context, l engine.PlanLease) (kept []string, err error) {
	s := l.State()
	if kept, err = m.abandonParts(ctx, s); err == nil {
		err = errors.Join(m.Plans.Local.Arrive(ctx, s, nil), m.Plans.books().TakeBookBack(ctx, s.ID))
	}
	return kept, err
}

// planMayCome refuses a plan that a worker is about to take, that cannot be read here, or of
// which a part cannot be moved here now.
func (m *Mover) planMayCome(ctx context.Context, b both[plan.State]) error {
	s := b.there.State
	if !s.AtRest(m.plan != "") {
		return fmt.Errorf("plan %s: %w", s.ID, engine.ErrRunning)
	}
	for r, err := range engine.Events(ctx, m.Plans.Server.Events, s.ID, b.have.Seq, b.there.Seq) {
		if err == nil {
			_, _, err = playPlan(s, r)
		}
		if err != nil {
			return err
		}
	}
	return m.partsMayCome(ctx, s)
}

func (m *Mover) fetchPlan(ctx context.Context, s plan.State) (kept string, err error) {
	return "", m.Plans.Travel.FetchLanded(ctx, s)
}

// requestHere is the request of a plan without what is only for workers: the content of files.
func (m *Mover) requestHere(there storedPlan) ([]byte, error) {
	request, err := requestOf(there)
	if err != nil {
		return nil, err
	}
	request.File, request.Text, request.Task.Root = m.Plans.Path(there.State.ID, there.State.File), nil, m.Plans.Root
	request.Inner = withoutText(request.Inner)
	return json.Marshal(request)
}

// withoutText leaves of plans in tasks' places what their files do not tell.
func withoutText(all map[string]engine.InnerPlan) map[string]engine.InnerPlan {
	out := maps.Clone(all)
	for path, in := range out {
		in.Text, in.Wrong, in.Inner = nil, "", withoutText(in.Inner)
		out[path] = in
	}
	return out
}

func (m *Mover) createPlan(ctx context.Context, there storedPlan, spec []byte) (engine.PlanLease, error) {
	s := m.planHere(there.State)
	first := plan.Begin(s.ID, s.File, s.Title, s.Branch, s.Base, s.Rules)
	l, err := m.Plans.Stored.CreateMoved(ctx, first, s.Incomplete(m.There, m.Here), spec)
	return m.leasedHere(l, false, err)
}

// getPlanFiles makes the branch and the files of a plan, and brings its own files and its budget.
func (m *Mover) getPlanFiles(ctx context.Context, l engine.PlanLease, there storedPlan) error {
	spec, err := requestOf(there)
	if err != nil {
		return err
	}
	s := m.planHere(there.State)
	files := map[string][]byte{s.File: spec.Text}
	m.innerFiles(files, spec.Inner)
	if err := m.Plans.Local.Arrive(ctx, s, files); err != nil {
		return err
	}
	m.fault("made the branch and the files")
	if err := m.Plans.Travel.GetPlanFiles(ctx, l.ID(), m.Plans.dir(l.ID())); err != nil {
		return err
	}
	book, err := m.Plans.Budgets.Book(ctx, l.ID())
	if err != nil {
		return err
	}
	return m.Plans.books().SetBook(ctx, l.ID(), book)
}

// planReturned writes into the file of a plan that is here what was done on the server.
func (m *Mover) planReturned(ctx context.Context, id string) error {
	l, err := m.holdPlan(ctx, id, nil)
	if err != nil {
		return nil //nolint:nilerr // its process, which has it, writes the file
	}
	return errors.Join(m.writeBack(ctx, l), l.Release(ctx))
}

func (m *Mover) writeBack(ctx context.Context, l engine.PlanLease) error {
	return m.Plans.Local.WriteBack(ctx, l)
}

// planHere is a plan of the server as this machine calls its file.
func (m *Mover) planHere(s plan.State) plan.State {
	s.File = m.Plans.Path(s.ID, s.File)
	return s
}

func (m *Mover) startPlan(from, _ plan.State, here bool) plan.State {
	if here {
		return m.planHere(from)
	}
	from.File = m.Plans.Name(from.File)
	return from
}

func playPlan(s plan.State, r engine.Event) (plan.State, plan.Event, error) {
	e, is := r.Decoded.(plan.Event)
	if !is {
		return s, nil, fmt.Errorf("%w (%s)", engine.ErrNewer, r.Name)
	}
	return s, e, nil
}

func copiedPlan(ctx context.Context, l engine.PlanLease, next plan.State, events []plan.Event) error {
	return record(ctx, l, next, events)
}
