package planfile

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
)

var (
	specKitTask = lazyregexp.New(`^(T\d{3,})\b((?:[ \t]*\[[^\]]+\])*)[ \t]*(.*)$`)
	specKitTag  = lazyregexp.New(`\[([^\]]+)\]`)
	storyTag    = lazyregexp.New(`^US\d+$`)
	inlineNeeds = lazyregexp.New(`(?i)\(depends on ([^)]*)\)`)
	// proseNeeds is "T022 depends on T020, T021" and "T055-T057 depend on T054".
	proseNeeds = lazyregexp.New(`(?i)(T\d{3,})(?:\s*[-–]\s*(T\d{3,}))?\s+depends?\s+on\s+((?:T\d{3,}(?:\s*(?:,|and|&|,\s*and)\s*)?)+)`)
	othersNeed = lazyregexp.New(`(?i)\b(?:others?|all|rest)\b[^.;]*\bdepends?\s+on\b`)
	specKitID  = lazyregexp.New(`T\d{3,}`)
	pathInText = lazyregexp.New("(?:^|[\\s`(])((?:[\\w.@-]+/)+[\\w.@-]+\\.\\w+)")
)

// readSpecKit reads tasks with ids, in phases. [P] marks tasks that may run in
// parallel with the one before, [US1] the story of a task.
func (d document) readSpecKit() (File, error) {
	r := specKit{ticks: newTicks(d), number: map[string]int{}}
	// Spec Kit's own tools write a capital.
	if !slices.ContainsFunc(boxes(d.lines), box.done) {
		r.ticks.mark = 'X'
	}
	r.file = File{Format: SpecKit, writer: r.ticks}
	r.file.Plan.Title, r.file.Plan.Context = firstTitle(d.lines), d.beside(SpecKit)
	all, skipped := items(d.lines, func(b box, _ bool) bool { return specKitTask.MatchString(b.text) })
	r.file.Warnings = skipped
	phase := d.phases()
	for _, it := range all {
		r.task(it, phase)
	}
	r.prose(d.lines)
	r.order()
	return r.file, nil
}

// phases returns a function from a line to the number and title of its heading of
// level 1 or 2.
func (d document) phases() func(line int) (n int, title string) {
	var at []int
	var titles []string
	for _, l := range d.lines {
		if l.heading == 1 || l.heading == 2 {
			at, titles = append(at, l.n), append(titles, l.title)
		}
	}
	return func(n int) (int, string) {
		i, _ := slices.BinarySearch(at, n)
		if i == 0 {
			return 0, ""
		}
		return i, titles[i-1]
	}
}

type specKit struct {
	ticks  *ticks
	file   File
	number map[string]int
	parts  []specKitPart
	// beside is set for tasks that may run in parallel with the one before.
	beside []bool
}

// specKitPart is one phase; a story's phase waits for no other story.
type specKitPart struct {
	heading int
	story   bool
	tasks   []int
	// starts have no dependency in the phase, ends no dependent.
	starts, ends []int
}

func (r *specKit) task(it item, phase func(int) (int, string)) {
	m := specKitTask.FindStringSubmatch(it.text)
	heading, title := phase(it.n)
	t := plan.Task{ID: m[1], Title: strings.TrimSpace(m[3]), Text: unindented(it.details), Criteria: boxTexts(it.inner), Group: title, Status: done(it.done()), Line: it.n}
	if t.Title == "" {
		t.Title = strings.TrimSpace(m[2])
	}
	permissionBelow(&t, it.details)
	beside, ofStory := false, strings.Contains(strings.ToLower(title), "user story")
	for _, tag := range specKitTag.FindAllStringSubmatch(m[2], -1) {
		if tag[1] == "P" {
			beside = true
			continue
		}
		t.Labels = append(t.Labels, tag[1])
		ofStory = ofStory || storyTag.MatchString(tag[1])
	}
	for _, p := range pathInText.FindAllStringSubmatch(t.Title, -1) {
		t.Files = append(t.Files, p[1])
	}
	for _, p := range inlineNeeds.FindAllStringSubmatch(t.Title, -1) {
		for _, on := range specKitID.FindAllStringSubmatch(p[1], -1) {
			t.Needs = append(t.Needs, plan.Need{On: on[0], Why: plan.Stated})
		}
	}
	i := len(r.file.Plan.Tasks)
	r.number[t.ID] = i
	r.file.Plan.Tasks, r.beside = append(r.file.Plan.Tasks, t), append(r.beside, beside)
	r.ticks.add([]box{it.box}, it.inner)
	if n := len(r.parts); n == 0 || r.parts[n-1].heading != heading {
		r.parts = append(r.parts, specKitPart{heading: heading})
	}
	p := &r.parts[len(r.parts)-1]
	p.story = p.story || ofStory
	p.tasks = append(p.tasks, i)
}

// prose reads dependencies from sentences; it warns about those that it does not
// understand.
func (r *specKit) prose(lines []line) {
	for _, l := range lines {
		if l.code || !strings.Contains(strings.ToLower(l.text), "depend") {
			continue
		}
		if _, isBox := boxOf(l); isBox {
			continue
		}
		for _, m := range proseNeeds.FindAllStringSubmatch(l.text, -1) {
			for i := range r.between(m[1], m[2]) {
				r.state(i, m[3])
			}
		}
		if othersNeed.MatchString(l.text) && specKitID.MatchString(l.text) {
			r.file.warn(l.n, "this sentence about dependencies is only partly understood: %s", quote(strings.TrimSpace(l.text)))
		}
	}
}

// between returns the tasks from one to another in the order of the file.
func (r *specKit) between(from, to string) map[int]bool {
	first, ok := r.number[from]
	last, both := r.number[to]
	out := map[int]bool{}
	if !ok {
		return out
	}
	if !both {
		last = first
	}
	for i := first; i <= last; i++ {
		out[i] = true
	}
	return out
}

// state adds dependencies that a sentence names; ids without a task belong to
// another plan.
func (r *specKit) state(i int, text string) {
	t := &r.file.Plan.Tasks[i]
	for _, on := range specKitID.FindAllStringSubmatch(text, -1) {
		need := plan.Need{On: on[0], Why: plan.Stated}
		if _, known := r.number[on[0]]; known && on[0] != t.ID && !slices.Contains(t.Needs, need) {
			t.Needs = append(t.Needs, need)
		}
	}
}
