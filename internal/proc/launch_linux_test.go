package proc

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// The first shim of a run is killed, often before it has its start request. The child starts all the same or, if the request arrived, is reported as lost.
func TestKilledShimIsReplaced(t *testing.T) {
	t.Parallel()
	for range 20 {
		s := spec(t, "true")
		started, killed := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(killed)
			for {
				for _, pid := range shimsOf(s.Run) {
					unix.Kill(pid, unix.SIGKILL)
					return
				}
				select {
				case <-started:
					return
				default:
				}
			}
		}()
		c, err := Start(t.Context(), s)
		close(started)
		<-killed
		if err != nil {
			t.Fatal(err)
		}
		if e, err := c.Wait(); err != nil && !errors.Is(err, ErrLost) || err == nil && !e.OK() {
			t.Errorf("%+v, %v", e, err)
		}
	}
}

// shimsOf finds the shim of a run below this process by its arguments.
func shimsOf(run string) (pids []int) {
	for _, pid := range children(os.Getpid()) {
		args, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if bytes.HasPrefix(args, []byte("ralph\x00"+shimArg+"\x00"+run+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids
}
