package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	enums "go.temporal.io/api/enums/v1"
	taskqueue "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"

	"ralph/internal/engine"
)

// The roster of workers is what the server knows about the processes that poll a queue:
// each worker polls one of the project on which nothing is ever put, and names itself by
// the identity of the poll. So a heartbeat leaves nothing in any history, and the server
// forgets a worker five minutes after its last one.

var _ engine.Roster = (*Project)(nil)

// identity is a worker in the identity of its polls: at most 1,000 bytes.
type identity struct {
	ID      string   `json:"id"`
	Host    string   `json:"host"`
	Process int      `json:"pid"`
	Version string   `json:"v"`
	Labels  []string `json:"on,omitempty"`
	Slots   int      `json:"slots"`
	Loops   int      `json:"loops"`
	Plans   int      `json:"plans,omitempty"`
	Started int64    `json:"from"`
	Beat    int64    `json:"n"` // orders the polls of a worker
	// Accounts are those that do not serve, left out where there is no room.
	Accounts []account `json:"acc,omitempty"`
}

// account is engine.AccountTrouble with short names.
type account struct {
	Label   string    `json:"l"`
	Trouble string    `json:"t"`
	Until   time.Time `json:"u,omitzero"`
}

// mostIdentity is the server's limit.
const mostIdentity = 1000

func identityOf(w engine.WorkerProcess, beat int64) string {
	of := identity{ID: w.ID, Host: w.Host, Process: w.Process, Version: w.Version, Labels: w.Labels, Slots: w.Slots, Loops: w.Loops, Plans: w.Plans, Started: w.Started.Unix(), Beat: beat}
	for _, a := range w.Accounts {
		a.Until = a.Until.UTC().Truncate(time.Second)
		of.Accounts = append(of.Accounts, account(a))
	}
	data, err := json.Marshal(of)
	for len(data) > mostIdentity && len(of.Accounts) > 0 {
		of.Accounts = of.Accounts[:len(of.Accounts)-1]
		data, err = json.Marshal(of)
	}
	if len(data) > mostIdentity { // a long name of a host
		of.Host = of.Host[:max(len(of.Host)-(len(data)-mostIdentity), 0)]
		data, err = json.Marshal(of)
	}
	if err != nil {
		return w.ID
	}
	return string(data)
}

func (o Options) roster() *taskqueue.TaskQueue {
	return &taskqueue.TaskQueue{Name: "ralph-workers-" + o.Project, Kind: enums.TASK_QUEUE_KIND_NORMAL}
}

// Announce polls until ctx ends. While the server is away it tries again each second.
func (p *Project) Announce(ctx context.Context, now func() engine.WorkerProcess) {
	for beat := int64(1); ctx.Err() == nil; beat++ {
		poll, cancel := context.WithTimeout(ctx, engine.Announced)
		_, err := p.client.WorkflowService().PollActivityTaskQueue(poll, &workflowservice.PollActivityTaskQueueRequest{
			Namespace: p.o.Namespace, TaskQueue: p.o.roster(), Identity: identityOf(now(), beat),
		})
		polled := err == nil || poll.Err() != nil // asked before cancel, which sets it
		cancel()
		if polled {
			continue
		}
		select {
		case <-time.After(repeatAfter):
		case <-ctx.Done():
		}
	}
}

// Workers are those that polled in the last five minutes, ordered by host.
func (p *Project) Workers(ctx context.Context) ([]engine.WorkerProcess, error) {
	pollers, err := p.pollers(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the workers: %w", silent(err))
	}
	newest, beats := map[string]engine.WorkerProcess{}, map[string]int64{}
	for _, poller := range pollers {
		var of identity
		if err := json.Unmarshal([]byte(poller.GetIdentity()), &of); err != nil || of.ID == "" {
			continue // another client's
		}
		seen := poller.GetLastAccessTime().AsTime()
		if of.Beat < beats[of.ID] {
			continue
		}
		beats[of.ID] = of.Beat
		w := engine.WorkerProcess{
			ID: of.ID, Host: of.Host, Process: of.Process, Version: of.Version, Labels: of.Labels,
			Slots: of.Slots, Loops: of.Loops, Plans: of.Plans, Started: time.Unix(of.Started, 0), Seen: seen,
		}
		for _, a := range of.Accounts {
			w.Accounts = append(w.Accounts, engine.AccountTrouble(a))
		}
		newest[of.ID] = w
	}
	return slices.SortedFunc(maps.Values(newest), func(a, b engine.WorkerProcess) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	}), nil
}

// pollers are those of all partitions of the queue.
func (p *Project) pollers(ctx context.Context) ([]*taskqueue.PollerInfo, error) {
	const kind = enums.TASK_QUEUE_TYPE_ACTIVITY
	all, err := p.client.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: p.o.Namespace, TaskQueue: p.o.roster(), TaskQueueType: kind, ReportPollers: true,
		ApiMode:        enums.DESCRIBE_TASK_QUEUE_MODE_ENHANCED, //nolint:staticcheck // the other mode sees one partition
		TaskQueueTypes: []enums.TaskQueueType{kind},             //nolint:staticcheck // see above
	})
	if err != nil {
		return nil, err
	}
	out := all.GetPollers()
	for _, version := range all.GetVersionsInfo() { //nolint:staticcheck // see above
		for _, of := range version.GetTypesInfo() {
			out = append(out, of.GetPollers()...)
		}
	}
	return out, nil
}
