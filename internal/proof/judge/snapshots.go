package judge

import (
	"path"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

var (
	snapshotStart = lazyregexp.New("(?m)^exports\\[`")
	snapshotKey   = lazyregexp.New("(?s)^exports\\[`(.*?) \\d+`\\] = `")
	testTitle     = lazyregexp.New("\\b(?:test|it)(?:\\.\\w+)*\\(\\s*(?:'((?:[^'\\\\\\n]|\\\\.)*)'|\"((?:[^\"\\\\\\n]|\\\\.)*)\"|`((?:[^`\\\\]|\\\\.)*)`)")
)

// withoutNewSnapshots returns the edits of snapshots that the work may change, but whose tests
// (a/x.test.js of a/__snapshots__/x.test.js.snap) are as on the base: an entry of a test that
// is left out is obsolete, and fails a run of jest. What the base has, and what its tests lack,
// stays as it is in the work.
func (d *Diff) withoutNewSnapshots(permitted []string, aside map[string]proof.Edit) (edits []proof.Edit, err error) {
	for _, p := range permitted {
		tests, isSnapshot := strings.CutSuffix(path.Base(p), ".snap")
		tests = path.Join(path.Dir(proof.DirOf(p)), tests)
		_, left := aside[tests]
		was, had := d.Before[p]
		now, has := d.After[p]
		if !isSnapshot || path.Base(proof.DirOf(p)) != "__snapshots__" || !left || !has || !proof.IsFile(now) {
			continue
		}
		if !had {
			edits = append(edits, proof.Edit{Path: p})
			continue
		}
		var text [3]string // of the snapshots, before and after, and of the base's tests
		for i, id := range []string{was.ID, now.ID, d.Before[tests].ID} {
			if id == "" {
				continue
			}
			data, err := d.Content(id)
			if err != nil {
				return nil, err
			}
			text[i] = string(data)
		}
		if kept := snapshotsOf(text[0], text[1], text[2]); kept != text[1] {
			edits = append(edits, proof.Edit{Path: p, Mode: now.Mode, Data: []byte(kept)})
		}
	}
	return edits, nil
}

// snapshotsOf leaves out the entries of now that was has not, but those of the tests.
func snapshotsOf(was, now, tests string) string {
	had := map[string]bool{}
	_, entries := snapshotEntries(was)
	for _, e := range entries {
		had[nameOf(e)] = true
	}
	head, entries := snapshotEntries(now)
	for _, e := range entries {
		if name := nameOf(e); name == "" || had[name] || titled(tests, name) {
			head += e
		}
	}
	if head = strings.TrimRight(head, "\n"); head != "" {
		head += "\n"
	}
	return head
}

// snapshotEntries splits a file of snapshots into what comes before its first entry, and its
// entries. In their values a backquote is escaped, so that none looks like an entry.
func snapshotEntries(s string) (head string, entries []string) {
	at := snapshotStart.FindAllStringIndex(s, -1)
	if len(at) == 0 {
		return s, nil
	}
	for i, a := range at {
		end := len(s)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		entries = append(entries, s[a[0]:end])
	}
	return s[:at[0][0]], entries
}

// nameOf is the name of the test of an entry, with its suites before it; "" is unknown.
func nameOf(entry string) string {
	m := snapshotKey.FindStringSubmatch(entry)
	if m == nil {
		return ""
	}
	return strings.NewReplacer("\\`", "`", `\\`, `\`).Replace(m[1])
}

// titled reports whether a test among the tests has the name, which its suites may precede
// and a hint follow.
func titled(tests, name string) bool {
	for _, m := range testTitle.FindAllStringSubmatch(tests, -1) {
		title := m[1] + m[2] + m[3]
		if title != "" && strings.Contains(" "+name+": ", " "+title+": ") {
			return true
		}
	}
	return false
}
