package store

import (
	"cmp"
	"fmt"
	"os"

	"ralph/internal/loop"
)

// Owner identifies the process that holds a lease. It is for display, and for
// deciding which process may be killed: same host, same Boot, same PIDNS, and
// PID and Start equal. It never decides the ownership of a loop.
type Owner struct {
	// Name is Options.Owner.
	Name string `json:"name,omitempty"`
	Host string `json:"host,omitempty"`
	// Boot changes with each boot of the machine; PIDNS names the pid namespace.
	Boot  string `json:"boot,omitempty"`
	PIDNS string `json:"pid_ns,omitempty"`
	PID   int    `json:"pid,omitempty"`
	// Start is when the process began, in the system's own unit (Linux: clock
	// ticks since boot); 0 is unknown.
	Start uint64 `json:"start,omitempty"`
}

func (o Owner) String() string {
	if o == (Owner{}) {
		return "an unknown owner"
	}
	if o.PID == 0 {
		return o.Name
	}
	s := fmt.Sprintf("pid %d on %s", o.PID, o.Host)
	if o.Name != "" {
		s = o.Name + " (" + s + ")"
	}
	return s
}

// ownerOf returns the owner of the loop from now on: this process, or the agent
// that drives it.
func (s *Store) ownerOf(st loop.State) Owner {
	if st.Mode == loop.AgentDriven {
		return Owner{Name: cmp.Or(st.Session, st.Agent.Name, "its agent")}
	}
	return s.myself()
}

// myself is the Owner of this process, on the machine of the store's options.
func (s *Store) myself() Owner {
	o := myself(s.o.Owner)
	o.Boot = cmp.Or(s.o.Boot, o.Boot)
	return o
}

// myself is the Owner of this process.
func myself(name string) Owner {
	host, _ := os.Hostname()
	o := Owner{Name: name, Host: host, PID: os.Getpid()}
	o.Boot, o.PIDNS, o.Start = processIdentity()
	return o
}
