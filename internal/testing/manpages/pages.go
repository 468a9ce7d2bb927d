package main

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// manPages renders every command (section 1) and help topic (section 7). The
// same program renders the same bytes.
func manPages(root *cobra.Command, date time.Time) (map[string][]byte, error) {
	pages := map[string][]byte{}
	for _, c := range visible(root) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		if c.IsAdditionalHelpTopicCommand() {
			pages[name+".7"] = topicPage(c, name, date)
			continue
		}
		var b bytes.Buffer
		c.DisableAutoGenTag = true
		if err := doc.GenMan(c, &doc.GenManHeader{Section: "1", Source: "ralph", Manual: "ralph", Date: &date}, &b); err != nil {
			return nil, fmt.Errorf("render the man page of %s: %w", c.CommandPath(), err)
		}
		pages[name+".1"] = []byte(spoken(c, b.String()))
	}
	return pages, nil
}

// spoken replaces the defaults that a page has in place of a flag's value, as Go
// writes them, by the value's name: --agent="" becomes --agent NAME.
func spoken(c *cobra.Command, page string) string {
	name := func(f *pflag.Flag) {
		value, _ := pflag.UnquoteUsage(f)
		as := ` \fI` + strings.ToUpper(value) + `\fP`
		switch {
		case value == "" || f.Value.Type() == "count":
			as = ""
		case f.NoOptDefVal != "":
			as = `[=\fI` + strings.ToUpper(value) + `\fP]`
		}
		page = goDefault(page, `\fB--`+f.Name+`\fP`, as)
	}
	c.NonInheritedFlags().VisitAll(name)
	c.InheritedFlags().VisitAll(name)
	return page
}

// goDefault replaces what follows a flag on its line.
func goDefault(page, flag, as string) string {
	before, rest, found := strings.Cut(page, flag)
	if !found {
		return page
	}
	_, after, _ := strings.Cut(rest, "\n")
	return before + flag + as + "\n" + after
}

// visible is a command and all below it that users are told about.
func visible(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand()) && sub.Name() != "help" && !sub.Hidden {
			all = append(all, visible(sub)...)
		}
	}
	return all
}

// topicPage is a page without options. The text stands as it is written.
func topicPage(c *cobra.Command, name string, date time.Time) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%% %q \"7\" %q \"ralph\" \"ralph\"\n\n# NAME\n\n%s - %s\n\n# DESCRIPTION\n\n", strings.ToUpper(name), date.Format("Jan 2006"), name, c.Short)
	for line := range strings.Lines(c.Long) {
		b.WriteString("    " + line)
	}
	b.WriteString("\n\n# SEE ALSO\n\n**ralph(1)**\n")
	return md2man.Render([]byte(b.String()))
}

// released is the time of the commit this program was built from: a date in a
// page must not depend on the day on which it was rendered.
func released() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return t.UTC()
			}
		}
	}
	return time.Unix(0, 0).UTC()
}
