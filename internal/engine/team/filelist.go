package team

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// listed are the files of all lists of a run; of those that several have, the newest.
func (f *Files) listed(ctx context.Context, of Run) (map[string]sentFile, error) {
	names, err := f.in().List(ctx, f.folder(of))
	if err != nil {
		return nil, err
	}
	var lists []listName
	for _, name := range names {
		if n, is := listNameOf(name); is {
			lists = append(lists, n)
		}
	}
	slices.SortFunc(lists, listName.compare)
	all := map[string]sentFile{}
	for _, n := range lists {
		data, err := f.in().Read(ctx, f.key(of, n))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &all); err != nil {
			return nil, err
		}
	}
	return all, nil
}
