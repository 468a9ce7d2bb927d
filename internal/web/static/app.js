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
  const focus = document.activeElement?.id;
  part.replaceWith(fresh);
  [...fresh.querySelectorAll("details")].forEach((d, i) => { if (i < open.length) d.open = open[i]; });
  if (focus) document.getElementById(focus)?.focus();
  prepare(fresh);
}

// Signed out elsewhere, by ralph web --sign-out or in another tab: the reloaded page asks to
// sign in. Text that is being typed is kept, and the page says what happened.
let out = false;
function signedOut() {
  if (out) return;
  out = true;
  tell("signed out");
  if (main && busy(main)) main.classList.add("signedout"); else location.reload();
}

let asking = false, again = false;
async function refresh() {
  if (out) return;
  if (!main || asking || document.hidden) { again = true; return; }
  asking = true; again = false;
  try {
    const have = [...main.children].map((s) => s.dataset.digest).join(",") || "none";
    const answer = await fetch(location.href, { headers: { "Ralph-Have": have } });
    if (answer.status === 401) { signedOut(); return; }
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
    if (!out) tell("live");
  } catch { tell("not connected"); } finally {
    asking = false;
    if (again && !document.hidden) setTimeout(refresh, 100);
  }
}
document.addEventListener("visibilitychange", () => { if (!document.hidden && again) refresh(); });

// One stream a browser: the tab that holds the lock listens and tells the others.
const others = "BroadcastChannel" in window ? new BroadcastChannel("ralph") : null;
others?.addEventListener("message", (event) => { if (event.data === "signed-out") signedOut(); else refresh(); });
function listen(release) {
  const stream = new EventSource("/events");
  stream.addEventListener("changed", () => { others?.postMessage("changed"); refresh(); });
  stream.addEventListener("signed-out", () => { stream.close(); others?.postMessage("signed-out"); signedOut(); });
  stream.addEventListener("open", () => tell("live"));
  stream.addEventListener("error", () => {
    if (out) return;
    tell("not connected");
    if (stream.readyState !== EventSource.CLOSED) return;
    refresh();
    setTimeout(() => { release?.(); live(); }, 5000);
  });
}
function live() {
  if (navigator.locks) navigator.locks.request("ralph-events", () => new Promise((release) => listen(release)));
  else listen();
}
if (document.body.hasAttribute("data-live")) {
  live();
  tell("live");
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

// Logs. The server sends the lines that are added, as long as the page can be seen; one
// stream continues where the one before was. Lines are filtered, folded below the head of
// their group, and followed.
const mostLines = 5000;
const open = new WeakSet(); // heads whose group is unfolded
let lines = null, stream = null;

function seen(line, group, words, folded) {
  if (words) return line.textContent.toLowerCase().includes(words);
  return !folded || !group || group === line || open.has(group);
}
function apply() {
  const words = document.getElementById("filter").value.toLowerCase();
  const folded = document.getElementById("fold").checked;
  let group = null;
  for (const line of lines.children) {
    const head = line.classList.contains("head");
    if (head) group = line;
    line.hidden = !seen(line, group, words, folded);
    if (!head) continue;
    if (folded) { line.tabIndex = 0; line.role = "button"; line.ariaExpanded = String(open.has(line)); }
    else for (const name of ["tabindex", "role", "aria-expanded"]) line.removeAttribute(name);
  }
}
function append(html, anew) {
  const end = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
  if (anew) lines.replaceChildren();
  lines.querySelector(".last")?.remove();
  lines.append(...parse(html).body.children);
  while (lines.childElementCount > mostLines) {
    lines.firstElementChild.remove();
    document.getElementById("cut").hidden = false;
  }
  document.getElementById("nothing").hidden = lines.childElementCount > 0;
  document.getElementById("folds").hidden = !lines.querySelector(".head");
  if (document.getElementById("fold").checked || document.getElementById("filter").value) apply();
  if (end && document.getElementById("follow").checked) lines.scrollTop = lines.scrollHeight;
}
function follow() {
  if (!lines || stream || document.hidden) return;
  stream = new EventSource(lines.dataset.follow + "&after=" + encodeURIComponent(lines.dataset.after));
  const take = (event) => {
    lines.dataset.after = event.lastEventId;
    append(JSON.parse(event.data), event.type === "anew");
  };
  stream.addEventListener("append", take);
  stream.addEventListener("anew", take);
  stream.addEventListener("error", () => {
    if (stream?.readyState !== EventSource.CLOSED) return;
    stream = null;
    setTimeout(follow, 5000);
  });
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { stream?.close(); stream = null; } else follow();
});
function unfold(event) {
  const head = event.target.closest?.('[role=button].head');
  if (!head || !lines?.contains(head)) return;
  if (open.has(head)) open.delete(head); else open.add(head);
  apply();
  event.preventDefault();
}
document.addEventListener("click", unfold);
document.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") unfold(event); });
function prepare(root) {
  const log = root.querySelector("#log");
  if (!log) return;
  stream?.close();
  stream = null;
  lines = log;
  root.querySelector(".logbar").hidden = false;
  root.querySelector("#folds").hidden = !log.querySelector(".head");
  root.querySelector("#filter").addEventListener("input", apply);
  root.querySelector("#fold").addEventListener("change", apply);
  log.scrollTop = log.scrollHeight;
  follow();
}
prepare(document);

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
