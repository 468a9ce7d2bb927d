package view

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"time"

	"ralph/internal/text"
)

//go:embed trace.html.tmpl
var tracePage string

//go:embed trace.js
var traceScript string

// IsTrace reports whether a file is one that Trace made.
func IsTrace(file []byte) bool {
	head := string(file[:min(len(file), 2<<10)])
	return strings.HasPrefix(head, "<!doctype html>") && strings.Contains(head, `<meta name="generator" content="ralph trace">`)
}

// Trace is a loop as one file that needs no other: its facts, and each attempt with its
// prompt, what the agent said, its gates and its diff. A script shows one attempt at a
// time; without it they stand below each other. The policy of the file allows that one
// script, and nothing from elsewhere. texts are those of the loop's attempts, in order.
func Trace(l Loop, texts []Texts, now time.Time) (string, error) {
	t, err := template.New("trace").Parse(parts)
	if err == nil {
		t, err = t.Parse(tracePage)
	}
	if err != nil {
		return "", fmt.Errorf("read the page of a trace: %w", err)
	}
	sum := sha256.Sum256([]byte(traceScript))
	data := traceData{
		Title: text.Clip(l.Title, mostTitle), ID: text.Line(l.ID), Mark: l.Mark(), Standing: text.Line(l.StatusText()),
		At: now.Format("2006-01-02 15:04"), Detail: l.Detail(now),
		Style: template.CSS(ReportStyle() + partsStyle), Script: template.JS(traceScript), //nolint:gosec // files of ours
		Policy: "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
	}
	for i := range l.Attempts {
		var own Texts
		if i < len(texts) {
			own = texts[i]
		}
		data.Attempts = append(data.Attempts, l.AttemptAt(i, own))
	}
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, "trace", data); err != nil {
		return "", fmt.Errorf("write the page of a trace: %w", err)
	}
	return b.String(), nil
}

type traceData struct {
	Title, ID, Mark, Standing, At, Policy string
	Detail                                Detail
	Attempts                              []AttemptPage
	Style                                 template.CSS
	Script                                template.JS
}
