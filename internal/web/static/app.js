// The pages work without this file. It keeps an open page up to date, shows the outcome
// of an action in place, filters logs, and adds the keys of ralph watch.

// All HTML comes from this server, which escaped it.
const trusted = window.trustedTypes
  ? window.trustedTypes.createPolicy("ralph", { createHTML: (s) => s })
  : { createHTML: (s) => s };

const parse = (html) => new DOMParser().parseFromString(trusted.createHTML(html), "text/html");
const main = document.getElementById("main");
const state = document.getElementById("state");
const tell = (words) => { if (state) state.textContent = words; };

// Sign in: a person who opened the link wants nothing else.
document.querySelector("form[data-submit]")?.requestSubmit();

// A part that somebody is typing into is not replaced: it is marked, and the server
// refuses what became stale.
const busy = (part) =>
  [...part.querySelectorAll("textarea,input:not([type=hidden])")].some(
    (e) => (e.type === "checkbox" ? e.checked !== e.defaultChecked : e.value !== e.defaultValue));

function renew(part, fresh) {
  const open = [...part.querySelectorAll("details")].map((d) => d.open);
  const log = part.querySelector("#log");
  const at = log && { top: log.scrollTop, end: log.scrollHeight - log.scrollTop - log.clientHeight < 40 };
  const focus = document.activeElement?.id;
  part.replaceWith(fresh);
  [...fresh.querySelectorAll("details")].forEach((d, i) => { if (i < open.length) d.open = open[i]; });
  const now = fresh.querySelector("#log");
  if (now && at) now.scrollTop = at.end && following() ? now.scrollHeight : at.top;
  if (focus) document.getElementById(focus)?.focus();
  prepare(fresh);
}

let asking = false, again = false;
async function refresh() {
  if (!main || asking || document.hidden) { again = true; return; }
  asking = true; again = false;
  try {
    const have = [...main.children].map((s) => s.dataset.digest).join(",") || "none";
    const answer = await fetch(location.href, { headers: { "Ralph-Have": have } });
    if (answer.status === 401) { tell("signed out"); location.reload(); return; }
    if (!answer.ok) { tell("cannot be read now"); return; }
    const { title, ids, fragments } = await answer.json();
    document.title = title + " · ralph";
    const fresh = new Map(fragments.map((f) => [f.id, f]));
    let before = null;
    for (const id of ids) {
      let part = document.getElementById(id);
      const f = fresh.get(id);
      if (f && part && busy(part)) {
        part.classList.add("stale");
      } else if (f) {
        const made = document.createElement("section");
        made.id = id;
        made.dataset.digest = f.digest;
        made.append(...parse(f.html).body.childNodes);
        if (part) renew(part, made); else { main.append(made); prepare(made); }
        part = made;
      }
      if (part) { if (before && before.nextElementSibling !== part) before.after(part); before = part; }
    }
    for (const part of [...main.children]) {
      if (ids.includes(part.id)) continue;
      if (busy(part)) part.classList.add("stale"); else part.remove();
    }
    tell("live");
  } catch { tell("not connected"); } finally {
    asking = false;
    if (again && !document.hidden) setTimeout(refresh, 100);
  }
}
document.addEventListener("visibilitychange", () => { if (!document.hidden && again) refresh(); });

// One stream a browser: the tab that holds the lock listens and tells the others.
const others = "BroadcastChannel" in window ? new BroadcastChannel("ralph") : null;
others?.addEventListener("message", refresh);
function listen(release) {
  const stream = new EventSource("/events");
  stream.addEventListener("changed", () => { others?.postMessage("changed"); refresh(); });
  stream.addEventListener("open", () => tell("live"));
  stream.addEventListener("error", () => {
    tell("not connected");
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => { release?.(); refresh(); live(); }, 5000);
  });
}
function live() {
  if (navigator.locks) navigator.locks.request("ralph-events", () => new Promise((release) => listen(release)));
  else listen();
}
if (document.body.hasAttribute("data-live")) {
  live();
  tell("live");
  // Output grows without an event: a page that shows a log asks for it.
  setInterval(() => { if (document.getElementById("log")) refresh(); }, 2000);
}

// The outcome of an action is shown in place.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-act]")) return;
  event.preventDefault();
  if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return;
  const data = new URLSearchParams(new FormData(form, event.submitter));
  const buttons = form.querySelectorAll("button");
  buttons.forEach((b) => { b.disabled = true; });
  try {
    const answer = await fetch(form.action, { method: "POST", body: data });
    const page = parse(await answer.text());
    if (answer.ok || answer.status === 409) form.reset();
    outcome(page.getElementById("main"));
  } catch {
    tell("not connected");
    const lost = document.createElement("div");
    lost.textContent = "The server cannot be reached: it is not known whether this was done. Start ralph web again and look.";
    outcome(lost);
  } finally {
    buttons.forEach((b) => { b.disabled = false; });
    refresh();
  }
});
function outcome(from) {
  const box = document.createElement("dialog");
  box.append(...(from ? [...from.childNodes] : []));
  box.querySelectorAll("a").forEach((a) => a.remove());
  const form = document.createElement("form");
  form.method = "dialog";
  const close = document.createElement("button");
  close.textContent = "Close";
  form.append(close);
  box.append(form);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}

// Logs: filter and follow.
const following = () => document.getElementById("follow")?.checked ?? false;
let wanted = "", follow = true;
function prepare(root) {
  const bar = root.querySelector(".logbar");
  const log = root.querySelector("#log");
  if (!bar || !log) return;
  bar.hidden = false;
  const filter = bar.querySelector("#filter");
  const box = bar.querySelector("#follow");
  filter.value = filter.defaultValue = wanted;
  box.checked = box.defaultChecked = follow;
  const apply = () => {
    wanted = filter.defaultValue = filter.value;
    const words = wanted.toLowerCase();
    for (const line of log.children) line.hidden = words !== "" && !line.textContent.toLowerCase().includes(words);
  };
  filter.addEventListener("input", apply);
  box.addEventListener("change", () => { follow = box.defaultChecked = box.checked; });
  apply();
}
prepare(document);
const first = document.getElementById("log");
if (first) first.scrollTop = first.scrollHeight;

// Keys as in ralph watch: j and k move, enter opens, / filters, a goes to the answer.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input,textarea,select")) return;
  const links = [...document.querySelectorAll("ul.runs a.open")];
  const at = links.indexOf(document.activeElement);
  const tab = { l: "log", d: "diff", P: "prompt", e: "evidence" }[event.key];
  const path = location.pathname.match(/^\/r\/[^/]+\/runs\/[^/]+/)?.[0];
  if (event.key === "j") links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === "k") links[Math.max(at - 1, 0)]?.focus();
  else if (event.key === "/") { const f = document.getElementById("filter"); if (f) { event.preventDefault(); f.focus(); } }
  else if (event.key === "a") { const t = document.querySelector(".card textarea, .card button"); if (t) { event.preventDefault(); t.focus(); } }
  else if (tab && path) location.assign(path + "/" + tab);
  else if (event.key === "Escape" && path) location.assign("/");
});
