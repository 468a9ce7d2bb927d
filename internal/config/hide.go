package config

import (
	"path"
	"slices"
	"strings"
)

// hideDefaults stands for the built-in list in sandbox_hide.
const hideDefaults = "defaults"

// defaultHides are keys, logins and histories that no agent needs for its work. Hosts
// that ssh knows, and its settings, stay: git over ssh works by an agent of keys.
var defaultHides = []string{
	"~/.ssh", "!~/.ssh/known_hosts", "!~/.ssh/known_hosts2", "!~/.ssh/config", "~/.gnupg", "$GNUPGHOME", "~/.password-store", "~/.local/share/keyrings",
	"~/.aws", "$AWS_SHARED_CREDENTIALS_FILE", "~/.azure", "~/.config/gcloud", "$CLOUDSDK_CONFIG", "$GOOGLE_APPLICATION_CREDENTIALS", "$RALPH_CODEC_KEY",
	"~/.oci", "~/.aliyun", "~/.config/doctl", "~/.config/hcloud", "~/.config/scw", "~/.boto", "~/.s3cfg", "~/.config/rclone",
	"~/.kube", "$KUBECONFIG", "~/.docker", "$DOCKER_CONFIG", "~/.config/containers/auth.json", "~/.terraform.d/credentials.tfrc.json", "~/.terraformrc", "~/.vault-token",
	"~/.netrc", "~/_netrc", "~/.git-credentials", "~/.config/git/credentials", "~/.config/gh", "~/.config/hub", "~/.config/glab-cli", "~/.config/ralph",
	"~/.pypirc", "~/.gem/credentials", "~/.cargo/credentials", "~/.cargo/credentials.toml", "~/.pgpass", "~/.my.cnf", "~/.mylogin.cnf",
	"~/.mozilla", "~/.thunderbird", "~/.config/google-chrome", "~/.config/chromium", "~/.config/BraveSoftware", "~/.config/microsoft-edge", "~/.config/vivaldi", "~/.config/opera",
	"~/snap/firefox", "~/snap/chromium", "~/.var/app/org.mozilla.firefox", "~/.var/app/com.google.Chrome", "~/.var/app/org.chromium.Chromium",
	"~/.*_history", "~/.histfile", "~/.local/share/fish/fish_history", "~/.local/share/atuin", "$HISTFILE",
}

// hidden checks an entry of sandbox_hide.
func hidden(s string) (string, *problem) {
	except := ""
	rest := s
	if after, ok := strings.CutPrefix(s, "!"); ok {
		except, rest = "!", after
	}
	if name, ok := strings.CutPrefix(rest, "$"); ok && variableName.MatchString(name) || rest == hideDefaults && except == "" {
		return s, nil
	}
	if _, err := path.Match(rest, ""); err != nil {
		return "", problemf("check its brackets", "%s is not a valid glob", clip(s))
	}
	clean, p := anywhere(rest)
	if p == nil && (clean == "/" || clean == "~") {
		p = problemf("name what is to be hidden in it", "%s is everything", clip(s))
	}
	return except + clean, p
}

// hidesMore: a list with all of the user's entries, and no exception of its own, is
// tighter.
func hidesMore(user, project leaf) bool {
	theirs := items(user)
	return superset(user, project) && !slices.ContainsFunc(items(project), func(s string) bool {
		return strings.HasPrefix(s, "!") && !slices.Contains(theirs, s)
	})
}

// WritableAsked reports whether the project file alone asks for the folders in
// sandbox_write: of a list in the user's own file it can only keep a part.
func (r *Resolved) WritableAsked() bool {
	_, own := r.users["sandbox_write"]
	return !own && r.Origin("sandbox_write").Layer == ProjectLayer
}

// Hidden returns what a sandbox hides, with the built-in list in place of its name.
func (r *Resolved) Hidden() []string {
	var out []string
	for _, entry := range r.Settings.Hide {
		if entry == hideDefaults {
			out = append(out, defaultHides...)
		} else {
			out = append(out, entry)
		}
	}
	return out
}
