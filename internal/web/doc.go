// Package web is `ralph web`: the loops and plans of this machine in a browser. It is a
// front end: it asks its Source, shows views as HTML, and hands a person's decisions to
// commands of ralph. It decides nothing and owns no loop.
//
//	browser ── GET page ───────▶ guard ─▶ mux ─▶ page ─▶ Source (views)
//	        ── POST action ────▶ guard ─▶ mux ─▶ Source (commands)
//	        ◀─ SSE "changed" ─── hub, which watches the Source
//	        ── GET fragments ──▶ only those that differ
//
// Every page works without JavaScript: it is rendered on the server, and forms post. With
// JavaScript one stream a browser tells that something changed, and the page asks for
// the fragments that it does not have. A log that can be seen has a stream of its own,
// which sends what is added (follow.go).
//
// # Trust
//
// Agents write most of what is shown, and agents on this machine can open connections to
// the listener. So the guard refuses, in this order: connections above a limit, too
// large or too slow requests, requests with a foreign Host (DNS rebinding), requests
// that other sites cause (Sec-Fetch-Site, Origin), and requests without a session. A
// session begins with a link that works once and that only the terminal shows, or with a
// token from a file of the user's choice. Of a signed-in browser a digest is kept, which
// outlives the process. No GET changes anything.
//
// The page is served under a name of its own below localhost: cookies ignore ports, and
// a program that an agent serves on another port of 127.0.0.1 must not get this cookie.
//
// html/template escapes all text. Three functions make HTML of foreign text themselves,
// and each is fuzzed: diffHTML, markdownHTML and the report of package view. The content
// policy allows no inline script or style, and Trusted Types bind the script.
package web
