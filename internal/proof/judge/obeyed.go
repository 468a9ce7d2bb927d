package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
	"ralph/internal/scope"
)

// editorSettings are globs, in lower case, of files of a repository by which editors, git,
// services of integration and programs without a driver run commands or get instructions
// later, and of files that many programs of agents share. What one program with a driver
// obeys is in its agent.Footprint.
var editorSettings = []string{
	"**/agents.md", "agent.md", "**/warp.md", "**/.agents/**", "**/.agent/**",
	"**/.cursor/**", "**/.cursorrules", "**/.cursorignore", "**/.windsurf/**", "**/.windsurfrules", "**/.clinerules", "**/.clinerules/**", "**/.roo/**", "**/.roorules",
	"**/.kiro/**", "**/.junie/**", "**/.amazonq/**", "**/.continue/**", "**/.aider.conf.yml", "**/.goosehints", "**/.rules",
	"**/.vscode/*.json", "**/*.code-workspace", "**/.zed/*.json", "**/.idea/runconfigurations/**", "**/.idea/externaltools.xml", "**/.idea/watchertasks.xml", "**/.run/*.run.xml",
	"**/.fleet/*.json", ".devcontainer/**", ".devcontainer.json", "**/.nvim.lua", "**/.nvimrc", "**/.exrc", "**/.dir-locals.el", "**/.lvimrc",
	"**/.factory/**", "**/.crush.json", "**/crush.json", "**/.amp/**", "**/.kilocode/**", "**/.augment/**", "**/.trae/**",
	"**/*.sublime-project", "**/.vimrc", "**/.gdbinit", "**/.lldbinit",
	".github/workflows/**", ".github/actions/**", ".gitlab-ci.yml", ".circleci/**", "jenkinsfile", ".travis.yml", "azure-pipelines.yml", ".buildkite/**", ".drone.yml", ".woodpecker*", ".woodpecker/**", "bitbucket-pipelines.yml", ".forgejo/workflows/**", ".gitea/workflows/**", ".ci/**",
	".github/dependabot.y*ml", "{,.github/,.gitlab/}{renovate.json,renovate.json5,.renovaterc,.renovaterc.json}", "{,.github/,.gitlab/,docs/}codeowners", ".github/mergify.yml", ".mergify.yml", "{,.github/}{.codecov.y*ml,codecov.y*ml}", "sonar-project.properties", ".deepsource.toml",
	"**/pip.conf", "**/.sdkmanrc", "**/.env",
	"**/.hooks/**", "**/hooks/{applypatch-msg,pre-applypatch,post-applypatch,pre-commit,pre-merge-commit,prepare-commit-msg,commit-msg,post-commit,pre-rebase,post-checkout,post-merge,pre-push,post-rewrite,sendemail-validate,fsmonitor-watchman,reference-transaction}",
	"**/.simple-git-hooks.*", "**/simple-git-hooks.*", "**/.huskyrc*", "**/.lintstagedrc*", "**/.overcommit.yml", "**/.lefthook.y*ml", "**/lefthook-local.y*ml",
	"**/.githooks/**", "**/.git-hooks/**", "**/git-hooks/**", "**/.husky/**", "**/.pre-commit-config.y*ml", "**/lefthook.y*ml", "**/.lefthook/**", "**/.envrc",
}

// Obeyed are the changed files of the work that later runs obey, whatever the gates say
// of it: settings of agents and editors, what the commands of set-up and teardown run, and
// ralph.yaml, permitted or not. Sorted.
type Obeyed struct {
	Base, Work []proof.File
	// Settings are globs, in lower case, of files that programs of agents obey.
	Settings []string
	// GitRuns are paths, of files and folders, that the configuration of git names.
	GitRuns []string
	// Chores are the command lines of set-up and teardown.
	Chores []string
	// Gates are the command lines of the gates that judge this work, OtherGates those of
	// gates that judge other work only.
	Gates, OtherGates []string
	// Agents are the command lines of agents and reviewers.
	Agents []string
	// Permitted are globs of files that a person allowed the work to change, Task the text of
	// its task: what it names is wanted.
	Permitted []string
	Task      string
	Content   func(id string) ([]byte, error)
}

// Find returns these files.
func (o Obeyed) Find() (found []string, err error) {
	chores, err := o.runBy(o.Chores, o.Base, o.Work)
	if err != nil || len(chores.changed) == 0 {
		return nil, err
	}
	d, texts := chores.Diff, chores.texts
	judging, err := o.otherGates()
	if err != nil {
		return nil, err
	}
	agents, err := Case{Gate: loop.Gate{Run: strings.Join(o.Agents, "\n")}, Base: o.Base, Work: o.Work, Content: o.Content}.changedPrograms()
	if err != nil {
		return nil, err
	}
	own, err := o.runBy(o.Gates, o.Base, o.Work)
	if err != nil {
		return nil, err
	}
	settings := slices.Concat(editorSettings, o.Settings)
	for _, p := range d.changed {
		taken, err := judging.takes(p)
		if err != nil {
			return nil, err
		}
		lost := false
		if generates.MatchString(own.commands) {
			if lost, err = o.losesDirective(d, p); err != nil {
				return nil, err
			}
		}
		switch {
		case path.Base(p) == "ralph.yaml":
			found = append(found, p+" (decides how later work is judged and sandboxed)")
		case repositoryIn(d, p):
			found = append(found, p+" (a repository inside the tree: git does what its settings say)")
		case d.After[p].Mode == proof.SubmoduleMode && d.Before[p].Mode != proof.SubmoduleMode && d.After[".gitmodules"].ID == d.Before[".gitmodules"].ID:
			found = append(found, p+" (a repository inside the tree: the commit records only its id)")
		case scope.Match(o.Permitted, p) || o.wanted(p):
		case scope.Match(settings, strings.ToLower(p)):
			found = append(found, p)
		case slices.ContainsFunc(o.GitRuns, func(at string) bool { return at == p || strings.HasPrefix(p, at+"/") }):
			found = append(found, p+" (git runs it, by your configuration)")
		case slices.ContainsFunc(texts, func(t gateText) bool { return t.runs(p) }):
			found = append(found, p+" (set-up or teardown runs it)")
		case taken != "":
			found = append(found, p+" ("+taken+")")
		case own.doubtful[p] && !own.checkers[p]:
			found = append(found, p+" (a gate builds and runs it, and may judge by it)")
		case lost:
			found = append(found, p+" (a gate runs its go:generate, which it changes)")
		case agents[p]:
			found = append(found, p+" (an agent or a reviewer runs it)")
		case o.isPlan(p):
			loosened, err := o.loosensPlan(p)
			if err != nil {
				return nil, err
			}
			if loosened {
				found = append(found, p+" (a plan: it changes what judges its tasks)")
			}
		case generatesIn(o.Chores, texts):
			more, err := o.generator(d, p)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
	}
	return found, nil
}

// repositoryIn reports whether a changed file is the settings of a repository that the work holds
// as plain files: git takes a folder with these three for one, and runs what the settings name.
func repositoryIn(d *Diff, p string) bool {
	dir := path.Dir(p)
	holds := func(name string) bool {
		for f := range d.After {
			if strings.HasPrefix(f, path.Join(dir, name)+"/") {
				return true
			}
		}
		return false
	}
	return path.Base(p) == "config" && d.After[path.Join(dir, "HEAD")].ID != "" && holds("objects") && holds("refs")
}

// planRules match what a plan says about the judging of a task.
var planRules = lazyregexp.New(`(?i)\*\*(?:proof|may change|kind|verify|review|gates?|scope|runs on)\s*:|"(?:proof|may_?change|verify)"\s*:`)

// isPlan reports whether a changed file of the base may be a plan that is read again.
func (o Obeyed) isPlan(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return (ext == ".md" || ext == ".json") && slices.ContainsFunc(o.Base, func(f proof.File) bool { return f.Path == p })
}

// loosensPlan reports whether the work changes what a plan says about the judging of tasks.
// Ticks and texts are free.
func (o Obeyed) loosensPlan(p string) (bool, error) {
	rules := func(files []proof.File) (out []string, tasks bool, err error) {
		at := slices.IndexFunc(files, func(f proof.File) bool { return f.Path == p })
		if at < 0 {
			return nil, false, nil
		}
		text, err := o.Content(files[at].ID)
		for line := range strings.Lines(string(text)) {
			if planRules.MatchString(line) {
				out = append(out, strings.TrimSpace(line))
			}
			tasks = tasks || planTask.MatchString(line)
		}
		return out, tasks, err
	}
	before, tasks, err := rules(o.Base)
	if err != nil || !tasks {
		return false, err
	}
	after, _, err := rules(o.Work)
	return !slices.Equal(before, after), err
}

// planTask matches a line that begins a task of a plan.
var planTask = lazyregexp.New(`(?i)^\s*[-*] \[[ x]\] |^#+\s+(?:task|user story|story)\b|"(?:tasks|userStories)"\s*:`)

// generatesIn reports whether set-up runs the commands that sources of Go name.
func generatesIn(chores []string, texts []gateText) bool {
	return generates.MatchString(strings.Join(chores, "\n")) || slices.ContainsFunc(texts, func(t gateText) bool { return generates.MatchString(t.text) })
}

// generator names a source of Go with a new command for go generate.
func (o Obeyed) generator(d *Diff, p string) ([]string, error) {
	if path.Ext(p) != ".go" || d.After[p].ID == "" {
		return nil, nil
	}
	old := map[string]bool{}
	if id := d.Before[p].ID; id != "" {
		text, err := o.Content(id)
		if err != nil {
			return nil, err
		}
		syntax.AddLines(old, string(text))
	}
	text, err := o.Content(d.After[p].ID)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "//go:generate") && !old[strings.TrimSpace(line)] {
			return []string{p + " (set-up or teardown runs its go:generate)"}, nil
		}
	}
	return nil, nil
}

// imports reports whether the text is a program that imports a file: a module of Python, or
// one of JavaScript by its path.
func (t gateText) imports(p string) bool {
	lang := proof.SourceLanguage(t.from, t.text)
	if proof.LanguageOf(p) != lang {
		return false
	}
	switch name := strings.TrimSuffix(p, path.Ext(p)); lang {
	case "python":
		name = strings.ReplaceAll(strings.TrimSuffix(name, "/__init__"), "/", ".")
		return slices.ContainsFunc(syntax.PythonBindings(t.text), func(b syntax.Binding) bool {
			for _, module := range []string{b.Module, b.Full()} {
				module = strings.TrimLeft(module, ".")
				if module != "" && (name == module || strings.HasSuffix(name, "."+module) || b.Attr == "" && strings.HasPrefix(name, module+".")) {
					return true
				}
			}
			return false
		})
	case "js":
		return slices.ContainsFunc(syntax.RelativeImports(t.text), func(module string) bool {
			at := path.Join(proof.DirOf(t.from), module)
			return at == p || at == name || at == strings.TrimSuffix(name, "/index")
		})
	}
	return false
}

// wanted reports whether the task names a file, or the folder at the root that holds it.
func (o Obeyed) wanted(p string) bool {
	top, _, below := strings.Cut(p, "/")
	return strings.Contains(o.Task, p) || strings.Contains(o.Task, path.Base(p)) || below && strings.HasPrefix(top, ".") && len(top) > 1 && strings.Contains(o.Task, top+"/")
}
