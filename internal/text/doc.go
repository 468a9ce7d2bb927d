// Package text prepares text for a grid of characters: it cleans, measures,
// cuts, pads and wraps, and writes counts, sizes and times for people. It is
// pure and knows nothing about its content.
//
// Text is shortened in three ways: to one line of so many columns (Clip for the whole
// text, Headline and LastLine for one line of it, Cut for a line that is clean), to so
// many bytes (Head, Tail), and to so many lines (Wrap, Middle).
//
// Foreign text (from agents, test runners, tasks, file names) goes through
// Clean or Line first. Columns are those of a terminal: an emoji takes two,
// a combining mark none (github.com/charmbracelet/x/ansi).
package text
