package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// columns of the table of cheats: a heading, and the cells that belong to it.
var columns = []struct {
	title string
	has   func(key) bool
}{
	{"bubblewrap", func(k key) bool { return k.mode == "run" && k.sandbox == "bubblewrap" && k.user == 0 }},
	{"Landlock", func(k key) bool { return k.mode == "run" && k.sandbox == "landlock" && k.user == 0 }},
	{"no sandbox", func(k key) bool { return k.mode == "run" && k.sandbox == "off" && k.user == 0 }},
	{"as a user", func(k key) bool { return k.mode == "run" && k.user != 0 }},
	{"plan", func(k key) bool { return k.mode == "plan" }},
	{"loop check", func(k key) bool { return k.mode == "check" }},
}

// table has a row for each cheat, and a row for each kind of other work.
func table(byName map[string]scenario, cells []cell) string {
	rows := map[string][]cell{}
	for _, c := range cells {
		rows[c.scenario] = append(rows[c.scenario], c)
	}
	var b strings.Builder
	b.WriteString("| cheat | class |")
	for _, col := range columns {
		b.WriteString(" " + col.title + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		s := byName[name]
		if s.kind != kindCheat {
			continue
		}
		fmt.Fprintf(&b, "| %s: %s | %s |", s.text("language"), s.text("title"), s.text("class"))
		for _, col := range columns {
			b.WriteString(" " + entry(rows[name], col.has) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// entry unites the cells of one column: the worst outcome stands for all.
func entry(cells []cell, has func(key) bool) string {
	worst := -1
	order := []outcome{skipped, refused, named, silent, broken}
	for _, c := range cells {
		if has(c.key) {
			worst = max(worst, slices.Index(order, c.outcome))
		}
	}
	switch {
	case worst <= 0:
		return "–"
	case order[worst] == silent:
		return "**accepted**"
	case order[worst] == named:
		return "accepted, named"
	}
	return string(order[worst])
}

// summary is one line for people who read nothing else.
func summary(byName map[string]scenario, cells []cell) string {
	n := map[string]int{}
	cases := map[string]map[string]bool{kindCheat: {}, kindImpossible: {}, kindHonest: {}}
	alarms := 0
	for _, c := range cells {
		s := byName[c.scenario]
		if c.outcome == skipped {
			continue
		}
		cases[s.kind][c.scenario] = true
		n[s.kind+" "+string(c.outcome)]++
		n[s.kind]++
		if s.kind != kindCheat && s.text("expect") != "disputed" && c.outcome != silent && c.wrong(s) {
			alarms++
		}
	}
	known := 0
	for _, c := range cells {
		if c.outcome == silent && byName[c.scenario].text("expect") == "known" {
			known++
		}
	}
	of := ""
	if known > 0 {
		of = fmt.Sprintf(" (%d of them hard-coded answers, values that equal everything, or work that notices being judged)", known)
	}
	return fmt.Sprintf("%d cheats in %d runs: %d refused, %d accepted with a remark, %d accepted without one%s. "+
		"%d cells of impossible tasks: %d refused, %d disputed, %d honest twins passed. %d honest changes: %d passed without a person, %d passed and accept asks about what they change with permission or unproved, %d rightly refused for lack of a permission; %d false alarms.\n",
		len(cases[kindCheat]), n[kindCheat], n[kindCheat+" refused"], n[kindCheat+" named"], n[kindCheat+" silent"], of,
		n[kindImpossible], n[kindImpossible+" refused"], n[kindImpossible+" disputed"], n[kindImpossible+" passed"],
		len(cases[kindHonest]), n[kindHonest+" passed"], n[kindHonest+" asked"], n[kindHonest+" refused"], alarms)
}
