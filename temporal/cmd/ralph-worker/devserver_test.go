//go:build server

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/testing/freeport"
	schema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"

	"ralph/internal/testing/tier"
)

// asServer makes the test binary a Temporal server: "PORT FILE". Its records are in the
// file, so that it can be killed and started again.
const asServer = "RALPH_WORKER_TEST_SERVER"

// serverMain serves until SIGTERM.
func serverMain(given string) {
	given, file, _ := strings.Cut(given, " ")
	port, err := strconv.Atoi(given)
	if err == nil {
		err = serve(port, file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve(port int, file string) error {
	const plugin, self = sqlite.PluginName, "active"
	host := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	db := config.SQL{PluginName: plugin, DatabaseName: file, ConnectAttributes: map[string]string{"mode": "rwc", "_journal_mode": "wal", "_synchronous": "2"}}
	if _, err := os.Stat(file); os.IsNotExist(err) {
		if err := schema.SetupSchema(&db); err != nil {
			return err
		}
		namespace, err := schema.NewNamespaceConfig(self, "default", false, nil)
		if err != nil {
			return err
		}
		if err := schema.CreateNamespaces(&db, namespace); err != nil {
			return err
		}
	} else if err := forgetMembers(file); err != nil {
		return err
	}
	service := func(port int) config.Service {
		return config.Service{RPC: config.RPC{GRPCPort: port, MembershipPort: freeport.MustGetFreePort(), BindOnLocalHost: true}}
	}
	c := &config.Config{
		Global: config.Global{Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: "127.0.0.1"}},
		Persistence: config.Persistence{
			DefaultStore: plugin, VisibilityStore: plugin, NumHistoryShards: 1,
			DataStores: map[string]config.DataStore{plugin: {SQL: &db}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10, MasterClusterName: self, CurrentClusterName: self,
			ClusterInformation: map[string]cluster.ClusterInformation{self: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: host}},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services: map[string]config.Service{
			"frontend": service(port), "history": service(freeport.MustGetFreePort()),
			"matching": service(freeport.MustGetFreePort()), "worker": service(freeport.MustGetFreePort()),
		},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: "disabled"},
			Visibility: config.VisibilityArchival{State: "disabled"},
		},
		PublicClient: config.PublicClient{HostPort: host},
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
			Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
		}},
	}
	s, err := temporal.NewServer(
		temporal.WithConfig(c), temporal.ForServices(temporal.DefaultServices), temporal.WithLogger(log.NewNoopLogger()),
		temporal.WithDynamicConfigClient(quick()),
	)
	if err != nil {
		return err
	}
	if err := s.Start(); err != nil {
		return err
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM)
	<-end
	return s.Stop()
}

// forgetMembers removes the members of a cluster that was killed. The server would look for
// them for a minute before it serves.
func forgetMembers(file string) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(context.Background(), "DELETE FROM cluster_membership")
	return errors.Join(err, db.Close())
}

// quick lets a server of one small test work without delays.
func quick() dynamicconfig.StaticClient {
	one := func(v any) []dynamicconfig.ConstrainedValue {
		return []dynamicconfig.ConstrainedValue{{Value: v}}
	}
	return dynamicconfig.StaticClient{
		dynamicconfig.TransferProcessorMaxPollRPS.Key():   one(1000),
		dynamicconfig.VisibilityProcessorMaxPollRPS.Key(): one(1000),
		dynamicconfig.TimerProcessorMaxPollRPS.Key():      one(1000),
	}
}

// devServer is a Temporal server in a process of its own, with its records in a file.
type devServer struct {
	*testing.T
	port int
	file string
	cmd  *exec.Cmd
}

func newDevServer(t *testing.T) *devServer {
	s := &devServer{T: t, port: freeport.MustGetFreePort(), file: t.TempDir() + "/temporal.db"}
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *devServer) host() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// start returns when the server accepts connections.
func (s *devServer) start() {
	s.Helper()
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	s.cmd = exec.Command(self)
	s.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", asServer, s.port, s.file))
	s.cmd.Stderr = os.Stderr
	if err := s.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	for end := time.Now().Add(tier.Hang); ; time.Sleep(50 * time.Millisecond) {
		c, err := net.Dial("tcp", s.host())
		if err == nil {
			_ = c.Close()
			return
		}
		if time.Now().After(end) {
			s.Fatal(err)
		}
	}
}

// kill ends the server as kill -9 does.
func (s *devServer) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}
