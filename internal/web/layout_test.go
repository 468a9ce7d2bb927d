package web

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
	"ralph/internal/view"
)

// widths are those of a phone, a tablet and a laptop.
var widths = []int64{380, 768, 1280}

// colors sets the color scheme that the user prefers.
func (b *browser) colors(scheme string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
}

// tooSmall lists what is meant to be touched and is lower than 44 px, which is what
// WCAG 2.5.5 asks for; a link inside of a text is as high as the text.
const tooSmall = `[...document.querySelectorAll("button,a.button,select,textarea,summary,nav a,.tabs a,a.open,input:not([type=hidden])")]
	.map((e) => e.matches("[type=checkbox]") ? e.closest("label") : e)
	.filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 43.5)
	.map((e) => e.outerHTML.slice(0, 80) + " " + e.getBoundingClientRect().height).join("\n")`

// violations runs axe-core with all of its rules, and lists what it finds.
const violations = `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.flatMap((v) =>
	v.nodes.slice(0, 3).map((n) => v.id + ": " + n.html.slice(0, 160) + " " + (n.failureSummary ?? ""))).join("\n\n"))`

// axe is axe-core's source; empty where it is not installed.
func axe() string {
	source, _ := os.ReadFile(filepath.Join("..", "testing", "axe", "node_modules", "axe-core", "axe.min.js"))
	return string(source)
}

// skipWithoutAxe ends a test that held all but the rules of axe-core.
func skipWithoutAxe(t *testing.T) {
	if axe() == "" {
		tier.SkipLacking(t, "axe-core", "the rest of this test was held; npm ci --prefix internal/testing/axe installs it")
	}
}

// accessible runs axe-core on the page that is open, in light and in dark.
func (b *browser) accessible(page string) {
	b.t.Helper()
	axe := axe()
	if axe == "" {
		return
	}
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[any](axe+"; null")(ctx, t)
		return err
	}))
	for _, scheme := range []string{"light", "dark"} {
		b.colors(scheme)
		found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](violations, chromedp.EvalAwaitPromise))
		if err != nil {
			b.t.Fatal(err)
		}
		if found != "" {
			b.t.Errorf("%s, %s:\n%s", page, scheme, strings.TrimSpace(found))
		}
	}
}

// TestEachPage opens every page with hostile text in it. No script of it runs, and the
// content policy is never violated. At the width of a phone, a tablet and a laptop nothing
// is wider than the screen, and on the phone what is to be touched is 44 px high. axe-core
// finds nothing. Pictures are not compared: each machine draws with fonts of its own.
func TestEachPage(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	b := startBrowser(t, source)
	for _, path := range append([]string{"/nothing"}, everyPage...) {
		b.do(chromedp.Navigate(b.base + path))
		b.forgive(path == "/nothing") // Chromium lists the 404 itself
		if b.eval("document.querySelectorAll('main img, main script, main a[href^=\"javascript\"], main [onload], main [onerror]').length") != "0" {
			t.Errorf("%s has markup of an agent", path)
		}
		b.fits(path)
		b.accessible(path)
		b.quiet(path)
	}
	source.mu.Lock()
	source.state.Status, source.state.Reason, source.state.Parent, source.state.Accepted = loop.StatusPassed, loop.Green, "", ""
	source.mu.Unlock()
	b.do(chromedp.Navigate(b.base + "/r/shop-12ab/runs/evil-loop"))
	b.fits("a loop that has passed")
	b.accessible("a loop that has passed")
	b.quiet("a loop that has passed")
	skipWithoutAxe(t)
}

// fits reports what of a page does not fit on a screen, or is too small to touch.
func (b *browser) fits(page string) {
	b.t.Helper()
	for _, width := range widths {
		b.do(chromedp.EmulateViewport(width, 800))
		if wide := b.eval("document.documentElement.scrollWidth - innerWidth"); wide != "0" {
			b.t.Errorf("%s is %s px wider than %d px", page, wide, width)
		}
		if width > 600 {
			continue
		}
		if small := b.eval(tooSmall); small != "" {
			b.t.Errorf("%s: too small to touch:\n%s", page, small)
		}
	}
}

// TestTraceInBrowser: the file of show --trace shows one attempt at a time, and another
// one when its scale is moved.
func TestTraceInBrowser(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	first := source.state.Recent[0]
	second := first
	first.N, second.N = 1, 2
	source.state.Recent = []loop.Attempt{first, second}
	page, err := view.Trace(view.LoopOf(source.item(), now), []view.Texts{{Prompt: evil, Patch: source.patch}}, now)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "trace.html")
	write(t, path, page)
	b := startBrowser(t, source)
	const shown = `[...document.querySelectorAll(".attempt")].filter((e) => e.checkVisibility()).map((e) => e.id).join()`
	b.do(chromedp.Navigate("file://" + path))
	if got := b.eval(shown); got != "attempt-2" {
		t.Errorf("at first: %s", got)
	}
	b.eval(`(at.value = 1, at.dispatchEvent(new Event("input")))`)
	if got := b.eval(shown + ` + location.hash`); got != "attempt-1#attempt-1" {
		t.Errorf("after the move: %s", got)
	}
	b.fits("the trace")
	b.quiet("the trace")
	b.accessible("the trace")
	b.quiet("the trace")
	skipWithoutAxe(t)
}
