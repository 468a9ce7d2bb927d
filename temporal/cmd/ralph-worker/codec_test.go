//go:build server

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"
)

// TestEncrypted: with a key the server stores neither the task, nor the command of a gate,
// nor what a person says. A command without the key, or with another one, is refused.
func TestEncrypted(t *testing.T) {
	s := newScene(t)
	for name, fill := range map[string]string{"key": "a", "other": "b", "short": ""} {
		s.write(name, strings.Repeat(fill, 32))
	}
	s.worker("one", "--codec-key", s.at("key"))
	s.env = []string{"RALPH_CODEC_KEY=" + s.at("key")}
	s.start()
	s.until("the agent works", s.exists("started"))
	s.ralph("b", 0, "steer", "make", "mind the gap")
	s.write("go", "")
	s.ralph("a", 0, "wait", "make")
	if out := s.ralph("b", 0, "logs", "make"); !strings.Contains(out, "mind the gap") {
		t.Errorf("logs: %s", out)
	}
	stored := s.stored()
	for _, plain := range []string{"make it", "test -e result", "mind the gap", "agent.sh", "agent_ended", `"epoch"`} {
		if bytes.Contains(stored, []byte(plain)) {
			t.Errorf("the server stores %q", plain)
		}
	}
	if !bytes.Contains(stored, []byte("aes-256-gcm")) {
		t.Error("nothing was looked at")
	}
	for key, want := range map[string]string{"": "no key was given", "other": "not the given one", "short": "has 0 bytes", "none": "no such file"} {
		s.env = nil
		if key != "" {
			s.env = []string{"RALPH_CODEC_KEY=" + s.at(key)}
		}
		if out := s.ralph("a", 78, "status"); !strings.Contains(out, want) || !strings.Contains(out, "codec_key") {
			t.Errorf("key %q: %s", key, out)
		}
	}
	s.env = []string{"XDG_CONFIG_HOME=" + s.at("config")}
	if err := os.MkdirAll(s.at("config/ralph"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("config/ralph/config.yaml", "version: 1\ncodec_key: "+s.at("key")+"\n")
	if out := s.ralph("a", 0, "status", "make"); !strings.Contains(out, "passed") {
		t.Errorf("the key of the settings: %s", out)
	}
}

// TestNotEncrypted: a key is refused where the records of a project have none.
func TestNotEncrypted(t *testing.T) {
	s := newScene(t)
	s.start()
	s.until("the list shows the loop", func() bool { return strings.Contains(s.ralph("b", 0, "status"), "make") })
	if !bytes.Contains(s.stored(), []byte("make it")) {
		t.Error("the text of the task is not found where it must be")
	}
	s.write("key", strings.Repeat("a", 32))
	s.env = []string{"RALPH_CODEC_KEY=" + s.at("key")}
	if out := s.ralph("a", 78, "status"); !strings.Contains(out, "not encrypted") {
		t.Errorf("%s", out)
	}
}

// stored is all that the server stores about the loops of the scene.
func (s scene) stored() (all []byte) {
	s.Helper()
	project := strings.TrimSuffix(filepath.Base(s.remote()), ".git")
	c := embedded.GetDefaultClient()
	list, err := c.ListWorkflow(s.Context(), &workflowservice.ListWorkflowExecutionsRequest{})
	if err != nil {
		s.Fatal(err)
	}
	for _, x := range list.GetExecutions() {
		if !strings.HasPrefix(x.GetExecution().GetWorkflowId(), "ralph/"+project+"-") {
			continue
		}
		add := func(m proto.Message) {
			data, err := proto.Marshal(m)
			if err != nil {
				s.Fatal(err)
			}
			all = append(all, data...)
		}
		add(x)
		history := c.GetWorkflowHistory(s.Context(), x.GetExecution().GetWorkflowId(), x.GetExecution().GetRunId(), false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for history.HasNext() {
			e, err := history.Next()
			if err != nil {
				s.Fatal(err)
			}
			add(e)
		}
	}
	return all
}
