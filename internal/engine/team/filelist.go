package team

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/durable"
)

// mostListed is how many files one list has. A list is written whole when a file changes, so
// that it must not grow with the attempts of a loop: one of 10,000 has 50,000 files.
const mostListed = 250

// list adds files to the newest list of an epoch; where it is full, to the next one.
func (f *Files) list(ctx context.Context, of Run, epoch int64, sent *sentFiles, files map[string]sentFile) error {
	if len(files) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, there := sent.list[name]; !there && len(sent.list) >= mostListed {
			if err := f.writeList(ctx, of, epoch, sent); err != nil {
				return err
			}
			sent.list, sent.number = map[string]sentFile{}, sent.number+1
		}
		sent.list[name] = files[name]
	}
	return f.writeList(ctx, of, epoch, sent)
}

func (f *Files) writeList(ctx context.Context, of Run, epoch int64, sent *sentFiles) error {
	data, err := json.Marshal(sent.list)
	if err != nil {
		return err
	}
	return f.in().Write(ctx, f.key(of, listName{epoch, sent.number}), bytes.NewReader(data))
}

// listName is the epoch of a list, and its number in it, from 1.
type listName struct {
	epoch  int64
	number int
}

func (n listName) String() string {
	if n.number == 1 {
		return fmt.Sprintf("%d.json", n.epoch)
	}
	return fmt.Sprintf("%d.%d.json", n.epoch, n.number)
}

func (n listName) compare(o listName) int {
	return cmp.Or(cmp.Compare(n.epoch, o.epoch), cmp.Compare(n.number, o.number))
}

// listNameOf reads what String wrote.
func listNameOf(name string) (n listName, is bool) {
	name, is = strings.CutSuffix(name, ".json")
	epoch, number, more := strings.Cut(name, ".")
	if !more {
		number = "1"
	}
	var err, not error
	n.epoch, err = strconv.ParseInt(epoch, 10, 64)
	n.number, not = strconv.Atoi(number)
	return n, is && err == nil && not == nil
}

// folder has the lists of a run.
func (f *Files) folder(of Run) string { return f.Project + "/" + of.folder() }

func (f *Files) key(of Run, n listName) string { return f.folder(of) + "/" + n.String() }

// lists are the names of the lists of a run, the newest last.
func (f *Files) lists(ctx context.Context, of Run) (lists []listName, err error) {
	names, err := f.in().List(ctx, f.folder(of))
	for _, name := range names {
		if n, is := listNameOf(name); is {
			lists = append(lists, n)
		}
	}
	slices.SortFunc(lists, listName.compare)
	return lists, err
}

// listed are the files of some lists; of those that several have, the newest.
func (f *Files) listed(ctx context.Context, of Run, lists []listName) (map[string]sentFile, error) {
	read := make([]map[string]sentFile, len(lists))
	err := atOnce(ctx, lists, func(ctx context.Context, i int, n listName) error {
		data, err := f.in().Read(ctx, f.key(of, n))
		if err != nil {
			return err
		}
		return json.Unmarshal(data, &read[i])
	})
	all := map[string]sentFile{}
	for _, list := range read {
		maps.Copy(all, list)
	}
	return all, err
}

// gotName is the file of a run's directory that names the lists whose files are all there: those
// of a long loop are not read again each time. The newest list may still change, so a short loop
// has no such file, and what is missing or damaged comes again.
const gotName = "lists.json"

// without leaves out the first lists, of which the files are in a directory. A list that follows
// one whose files are not there counts: what it has replaces files of that one.
func without(lists []listName, dir string) []listName {
	var got []string
	if data, err := os.ReadFile(filepath.Join(dir, gotName)); err != nil || json.Unmarshal(data, &got) != nil {
		return lists
	}
	for len(lists) > 1 && slices.Contains(got, lists[0].String()) {
		lists = lists[1:]
	}
	return lists
}

// remember records that the files of all lists but the newest are in a directory.
func remember(lists []listName, dir string) error {
	if len(lists) < 2 {
		return nil
	}
	var got []string
	for _, n := range lists[:len(lists)-1] {
		got = append(got, n.String())
	}
	data, err := json.Marshal(got)
	if err != nil {
		return err
	}
	return durable.Write(filepath.Join(dir, gotName), data)
}
