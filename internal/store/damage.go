package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// Damage is what is wrong with the record of one run.
type Damage struct {
	Kind recovery.Kind
	ID   string
	// What are the findings, those of events before the state's.
	What []string
	// Archived: a user has put the run away.
	Archived bool
}

// String returns the first findings.
func (d Damage) String() string {
	const most = 3
	if n := len(d.What) - most; n > 0 {
		return fmt.Sprintf("%s; and %d more", strings.Join(d.What[:most], "; "), n)
	}
	return strings.Join(d.What, "; ")
}

// Damaged reads every event and every state, and returns the runs with a damaged
// record.
func (s *Store) Damaged(ctx context.Context) (all []Damage, err error) {
	err = s.read(ctx, "look for damaged records", func(tx *sql.Tx) error {
		all, err = s.damaged(ctx, tx)
		return err
	})
	return all, err
}

func (s *Store) damaged(ctx context.Context, tx *sql.Tx) (all []Damage, err error) {
	for _, k := range []kind{loopRuns, planRuns} {
		ids, err := sqlrow.Column[string](ctx, tx, k.q(`SELECT id FROM %runs ORDER BY num`))
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			p, err := s.examineRun(ctx, tx, k, id)
			if err != nil {
				return nil, err
			}
			if d := p.damage(); len(d.What) > 0 {
				all = append(all, d)
			}
		}
	}
	return all, nil
}

// examinedRun is a run that is examined.
type examinedRun struct {
	k        kind
	id       string
	num, seq int64
	epoch    int64
	owner    Owner
	archived bool
	seal     []byte
	journal  *audit
	// state is what is wrong with the state; unread are events that say nothing.
	state  string
	unread []fault
	// derived are summaries and attempts that are not those of a sound state.
	derived []string
}

// findings are those of the events, which say more than a state whose events are wrong.
func (p *examinedRun) findings() (what []string) {
	for _, f := range slices.Concat(p.journal.wrong, p.unread) {
		what = append(what, f.String())
	}
	if p.state != "" && len(p.journal.wrong) == 0 {
		what = append(what, p.state)
	}
	return append(what, p.derived...)
}

func (p *examinedRun) damage() Damage {
	return Damage{Kind: p.k.name, ID: p.id, What: p.findings(), Archived: p.archived}
}

func (s *Store) examineRun(ctx context.Context, tx *sql.Tx, k kind, id string) (*examinedRun, error) {
	p := &examinedRun{k: k, id: id}
	var first sql.NullInt64
	var owner string
	err := tx.QueryRowContext(ctx, k.q(`SELECT r.num, r.seq, r.epoch, r.owner, r.archived, j.first, j.seal FROM %runs r`+chainJoin+` WHERE r.id = ?`), id).
		Scan(&p.num, &p.seq, &p.epoch, &owner, &p.archived, &first, &p.seal)
	if err != nil {
		return nil, err
	}
	p.owner, p.journal = decodeOwner(owner), k.auditOf(id, first.Int64)
	p.journal.newest, p.journal.each = p.seq, p.decode
	if err := p.journal.read(ctx, tx, p.num, 0); err != nil {
		return nil, err
	}
	s.compareOlder(ctx, p.journal)
	p.journal.end(p.seq)
	e, err := k.entry(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if k.name == recovery.Plan {
		c, err := planReader().content(ctx, tx, e)
		if err == nil && e.Closed && !c.state.Closed() {
			p.derived = []string{faultSummary}
		}
		return p, p.note(err)
	}
	st, _, err := stateOf(ctx, tx, e)
	if err != nil || len(p.journal.wrong)+len(p.unread) > 0 {
		return p, p.note(err)
	}
	d, err := derivedOf(ctx, tx, e, st)
	if err == nil {
		p.derived, err = d.faults(ctx, tx, e)
	}
	return p, err
}

// note takes the damage of a state; other errors are returned.
func (p *examinedRun) note(err error) error {
	what, damaged := damageOf(err)
	if p.state = what; damaged {
		return nil
	}
	return err
}

// decode notes an event that cannot be read.
func (p *examinedRun) decode(seq int64, name string, data []byte) {
	var err error
	if p.k.name == recovery.Loop {
		_, err = loop.Decode(name, data)
	} else {
		_, err = plan.Decode(name, data)
	}
	if err != nil {
		p.unread = append(p.unread, fault{seq, seq, "cannot be read"})
	}
}
