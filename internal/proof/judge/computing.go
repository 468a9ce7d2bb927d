package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// A script of awk can be the product, or a part of a test: one that brings what the product prints
// into another form, compares it, or checks data. Its use tells: the product reads files of the
// base or words of a command, and another command compares what it prints.

// substituted matches what a shell puts in the place of a command, and printed stands for what a
// script of awk prints there.
var substituted = lazyregexp.New(`\$\([^()]*\)`)

const printed = "what-it-prints"

// findComputing finds the scripts of awk of the base that are the product: all texts that name one
// are commands of a shell, and run it so. Goals of a Makefile that nothing makes do not count.
func (r *reach) findComputing() error {
	r.computing = map[string]bool{}
	for _, p := range proof.SortedPaths(r.Before) {
		if _, test := r.isTest(p); path.Ext(p) == ".awk" && proof.IsFile(r.Before[p]) && !test && !isToolFolder(p) && !checkLike.MatchString(path.Base(p)) {
			r.computing[p] = true
		}
	}
	if len(r.computing) == 0 {
		return nil
	}
	files, more, err := r.reading(func(f proof.File) bool {
		_, test := r.isTest(f.Path)
		return path.Ext(f.Path) != ".awk" && (startsTasks(f.Path) || test || isScript(f))
	})
	texts, asked := []gateText{{from: path.Join(r.gateDir(), "-"), text: r.Gate.Run, commands: true}}, r.Gate.Run
	for _, f := range files {
		data, err := r.Content(f.ID)
		if err != nil {
			return err
		}
		lang := proof.SourceLanguage(f.Path, string(data))
		texts = append(texts, gateText{f.Path, string(data), IsMakefile(f.Path) || lang == "shell"})
		if lang == "shell" {
			asked += "\n" + string(data)
		}
	}
	goals, _ := goalsOf(asked)
	for p := range r.computing {
		name, uses := path.Base(p), 0
		for _, t := range texts {
			if IsMakefile(t.from) {
				t.text = strings.ReplaceAll(portion(t.text, goals), "$$", "$")
			}
			n, text := naming{reach: r, dir: proof.DirOf(t.from)}, strings.Join(t.commandLines(), "\n")
			mentions := strings.Count(text, name)
			if uses += mentions; more || mentions > 0 && (!t.commands || n.computedIn(text, name) != mentions) {
				uses = 0
				break
			}
		}
		r.computing[p] = uses > 0
	}
	return err
}

// computedIn counts the commands of a text that run a script of awk so.
func (n *naming) computedIn(text, name string) (uses int) {
	given := func(c shell.Command, words []string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return w != writtenTo(c) && !n.given(w, text) })
	}
	runs := func(all []shell.Command, i int) bool {
		words := all[i].Words
		at := slices.Index(words, "-f") + 1
		ok := slices.Contains([]string{"awk", "gawk", "mawk"}, words[0]) && at > 0 && at < len(words) && path.Base(words[at]) == name && given(all[i], words[at+1:])
		for i--; ok && i >= 0 && all[i].Piped; i-- {
			c := all[i]
			says := (c.Words[0] == "echo" || c.Words[0] == "printf") && !strings.ContainsAny(strings.Join(c.Words, ""), "$`")
			ok = says || slices.Contains(filters, c.Words[0]) && given(c, c.Words[1:])
		}
		return ok
	}
	text = substituted.ReplaceAllStringFunc(text, func(whole string) string {
		if all := shell.Split(whole[2 : len(whole)-1]); len(all) > 0 && runs(all, len(all)-1) {
			return printed
		}
		return whole
	})
	all := shell.Split(text)
	for i, c := range all {
		at := slices.Index(c.Words, printed) + 2
		compares := at > 1 && at < len(c.Words) && slices.Contains([]string{"test", "["}, c.Words[0]) && slices.Contains([]string{"=", "==", "-eq"}, c.Words[at-1]) && !success.MatchString(c.Words[at]) && !strings.ContainsAny(c.Words[at], "$`")
		if compares || runs(all, i) && n.isExamined(all, i) {
			uses++
		}
	}
	return uses
}

// given reports whether a word is an option, or names what the base has: a file, also in a folder
// that a variable names, or what a loop takes from files.
func (n *naming) given(w, text string) bool {
	w = strings.TrimPrefix(w, "<")
	looped := false
	for _, loop := range loopOfFiles.FindAllStringSubmatch(text, -1) {
		if w == "$"+loop[1] || w == "${"+loop[1]+"}" {
			if looped = n.given(strings.TrimSpace(loop[2]), ""); !looped {
				return false
			}
		}
	}
	if variable, rest, is := strings.Cut(w, "/"); is && strings.HasPrefix(variable, "$") {
		w = path.Join("..", "*", path.Base(rest))
	}
	return looped || w == "" || strings.Contains(w, ">") || strings.HasPrefix(w, "-") || slices.ContainsFunc(proof.SortedPaths(n.Before), func(p string) bool {
		here, _ := path.Match(path.Join(n.dir, w), p)
		below, _ := path.Match(w, path.Join("..", "x", path.Base(p)))
		return here || below
	})
}
