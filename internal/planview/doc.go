// Package planview shows plans: in words for people, as a drawing, as the
// languages in which graphs are drawn. It is pure, and what it shows was written
// by anybody: all of it is cleaned.
package planview
