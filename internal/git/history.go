package git

import (
	"context"
	"strconv"
	"strings"
	"time"

	"ralph/internal/proc"
	"ralph/internal/text"
)

// CommitInfo is one commit of a Log.
type CommitInfo struct {
	ID, Tree      string
	Parents       []string
	Author, Email string
	Time          time.Time
	Message       string
}

// Subject is the first line of the message.
func (c CommitInfo) Subject() string {
	s, _, _ := strings.Cut(c.Message, "\n")
	return s
}

// IsAncestor reports whether head contains base. A commit contains itself.
func (r *Repo) IsAncestor(ctx context.Context, base, head string) (bool, error) {
	if found, sure := r.reaches(head, base); sure {
		return found, nil
	}
	_, err := r.git(ctx, r.bare(), "merge-base", "--is-ancestor", base, head)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// MergeBase returns a best common ancestor; "" when there is none.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	for _, pair := range [][2]string{{a, b}, {b, a}} { // where one contains the other it is that
		if found, sure := r.reaches(pair[0], pair[1]); found && sure {
			return pair[1], nil
		}
	}
	id, err := r.line(ctx, r.bare(), "merge-base", a, b)
	if exitCode(err) == 1 {
		return "", nil
	}
	return id, err
}

// Log returns the commits in head that are not in base, newest first, at most
// limit of them (0 means all). An empty base means all history.
func (r *Repo) Log(ctx context.Context, base, head string, limit int) ([]CommitInfo, error) {
	args := []string{
		"log", "-z", "--no-show-signature", "--no-color", "--no-decorate", "--no-notes", "--no-mailmap",
		"--format=%H%n%T%n%P%n%an%n%ae%n%at%n%B",
	}
	if limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(limit))
	}
	args = append(args, head)
	if base != "" {
		args = append(args, "^"+base)
	}
	out, err := r.git(ctx, r.bare(), append(args, "--")...)
	if err != nil {
		return nil, err
	}
	var log []CommitInfo
	for _, rec := range fields(out) {
		log = append(log, parseCommit(rec))
	}
	return log, nil
}

func parseCommit(rec string) CommitInfo {
	f := strings.SplitN(rec, "\n", 7)
	for len(f) < 7 {
		f = append(f, "")
	}
	at, _ := strconv.ParseInt(f[5], 10, 64)
	return CommitInfo{
		ID: f[0], Tree: f[1], Parents: strings.Fields(f[2]), Author: f[3], Email: f[4],
		Time: time.Unix(at, 0).UTC(), Message: strings.TrimRight(f[6], "\n"),
	}
}

// CommitMessage returns the whole message, without final line breaks.
func (r *Repo) CommitMessage(ctx context.Context, commit string) (string, error) {
	log, err := r.Log(ctx, "", commit, 1)
	if err != nil || len(log) == 0 {
		return "", err
	}
	return log[0].Message, nil
}

// Trailer is a "Key: value" line at the end of a message.
type Trailer struct{ Key, Value string }

// Trailers reads the last paragraph of a message, when all of it are trailers.
func Trailers(message string) []Trailer {
	message = strings.TrimRight(message, "\n")
	i := strings.LastIndex(message, "\n\n")
	if i < 0 {
		return nil
	}
	var found []Trailer
	for line := range strings.Lines(message[i+2:]) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !ok || key == "" || strings.ContainsAny(key, " \t") {
			return nil
		}
		found = append(found, Trailer{key, value})
	}
	return found
}

// withTrailers adds trailers to a message. Values are one line each, so that
// no value can forge another trailer.
func withTrailers(message string, trailers []Trailer) string {
	message = strings.TrimRight(text.Clean(message), "\n")
	if len(trailers) == 0 {
		return message + "\n"
	}
	b := strings.Builder{}
	b.WriteString(message + "\n\n")
	for _, t := range trailers {
		b.WriteString(t.Key + ": " + text.Line(t.Value) + "\n")
	}
	return b.String()
}

// trailer returns the value of a key; "" when it is missing.
func trailer(message, key string) string {
	for _, t := range Trailers(message) {
		if t.Key == key {
			return t.Value
		}
	}
	return ""
}

// CommitText is what people wrote into a commit: its message, and the names and
// addresses of its author and its committer ("Ada <ada@example.org>").
type CommitText struct{ Commit, Author, Committer, Message string }

// textFormat is CommitText as git writes it.
const textFormat = "--format=%H%n%an <%ae>%n%cn <%ce>%n%B"

// Messages returns the messages of the commits from base to head, oldest first, of
// at most limit bytes; cut reports that there are more.
func (r *Repo) Messages(ctx context.Context, base, head string, limit int64) (all []CommitText, cut bool, err error) {
	if all, ok := r.looseMessages(base, head, limit); ok {
		return all, false, nil
	}
	out, err := r.logged(ctx, base, head, limit, textFormat, "--no-patch")
	for text := range strings.SplitSeq(string(out.Stdout), "\x00") {
		if c := strings.SplitN(strings.TrimLeft(text, "\n"), "\n", 4); len(c) == 4 {
			all = append(all, CommitText{c[0], c[1], c[2], c[3]})
		}
	}
	return all, out.Truncated, err
}

// looseMessages is Messages without git, where the commits follow one another and all
// is within the limit.
func (r *Repo) looseMessages(base, head string, limit int64) (all []CommitText, ok bool) {
	ids, ok := r.chain(base, head)
	for _, id := range ids {
		c, whole := r.looseCommit(id)
		if limit -= int64(len(c.author) + len(c.committer) + len(c.message) + len(id) + 4); !whole || c.odd || limit < 0 {
			return nil, false
		}
		all = append(all, CommitText{id, c.author, c.committer, c.message})
	}
	return all, ok
}

// AddedNames returns the names of the files that the commits from base to head add,
// also of those that a later one removes; the limit is as in Messages.
func (r *Repo) AddedNames(ctx context.Context, base, head string, limit int64) (names []string, cut bool, err error) {
	if names, ok := r.looseAdded(base, head, limit); ok {
		return names, false, nil
	}
	out, err := r.logged(ctx, base, head, limit, "--format=", "--name-only", "--no-renames", "--diff-filter=A", "-m")
	known := map[string]bool{"": true}
	for name := range strings.SplitSeq(string(out.Stdout), "\x00") {
		if name = strings.TrimPrefix(name, "\n"); !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	return names, out.Truncated, err
}

// looseAdded is AddedNames without git, as looseMessages is Messages.
func (r *Repo) looseAdded(base, head string, limit int64) (names []string, ok bool) {
	ids, ok := r.chain(base, head)
	known := map[string]bool{}
	for _, id := range ids {
		changes, whole := r.looseChanges(base, id)
		if base = id; !whole {
			return nil, false
		}
		for _, c := range changes {
			if limit -= int64(len(c.Path) + 2); limit < 0 {
				return nil, false
			}
			if c.Status == "A" && !known[c.Path] {
				known[c.Path] = true
				names = append(names, c.Path)
			}
		}
	}
	return names, ok
}

// logged runs git log from base to head.
func (r *Repo) logged(ctx context.Context, base, head string, limit int64, how ...string) (proc.Output, error) {
	args := append([]string{"log", "--reverse", "-z", "--no-show-signature", "--no-color", "--no-decorate", "--no-notes", "--no-mailmap", "--no-ext-diff"}, how...)
	return r.callTruncated(ctx, call{place: r.bare(), max: limit, args: append(args, head, "^"+base, "--")})
}

// Short returns the first ten digits of a commit, for messages and names of files.
func Short(commit string) string { return commit[:min(len(commit), 10)] }
