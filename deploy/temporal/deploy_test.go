// Package deploy holds the files with which a team runs ralph's workers to the schemas
// of Docker Compose and Kubernetes. Neither runs here.
package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

func TestCompose(t *testing.T) {
	t.Parallel()
	o, err := cli.NewProjectOptions([]string{"compose.yaml"}, cli.WithEnv([]string{
		"POSTGRES_PASSWORD=secret", "RALPH_REPO=/srv/shop.git", "SSH_DIR=/home/ci/.ssh",
	}))
	if err != nil {
		t.Fatal(err)
	}
	project, err := o.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range project.Services {
		for _, p := range s.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("%s listens on %q: the server has no login", name, p.HostIP)
			}
		}
	}
	worker, err := project.GetService("worker")
	if err != nil {
		t.Fatal(err)
	}
	takes(t, worker.Command)
}

// A variable that is missing ends the command: nothing starts with an empty password.
func TestComposeWithoutSettings(t *testing.T) {
	t.Parallel()
	o, err := cli.NewProjectOptions([]string{"compose.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.LoadProject(t.Context()); err == nil || !strings.Contains(err.Error(), "set it in .env") {
		t.Errorf("%v", err)
	}
}

func TestKubernetes(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var set appsv1.StatefulSet
	if err := yaml.UnmarshalStrict(data, &set); err != nil {
		t.Fatal(err)
	}
	pod := set.Spec.Template
	for key, value := range set.Spec.Selector.MatchLabels {
		if pod.Labels[key] != value {
			t.Errorf("the set selects %s=%s, its pods have %q", key, value, pod.Labels[key])
		}
	}
	volumes := map[string]bool{}
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
	}
	for _, c := range set.Spec.VolumeClaimTemplates {
		volumes[c.Name] = true
	}
	for _, c := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s mounts %s, which is no volume", c.Name, m.Name)
			}
		}
		takes(t, c.Args)
	}
}

// takes fails where ralph does not know a flag of a command.
func takes(t *testing.T, argv []string) {
	t.Helper()
	words := argv[:1]
	if len(argv) > 1 && !strings.HasPrefix(argv[1], "-") {
		words = argv[:2]
	}
	help, err := exec.CommandContext(t.Context(), "go", append(append([]string{"run", "-C", "../..", "./cmd/ralph"}, words...), "--help")...).Output()
	if err != nil || !bytes.Contains(help, []byte("Usage:\n  ralph "+strings.Join(words, " "))) {
		t.Fatalf("ralph %s --help: %v\n%s", strings.Join(words, " "), err, help)
	}
	for _, word := range argv {
		if strings.HasPrefix(word, "--") && !regexp.MustCompile(`(?m)^ .*`+regexp.QuoteMeta(word)+`\b`).Match(help) {
			t.Errorf("ralph %s has no flag %s", strings.Join(words, " "), word)
		}
	}
}
