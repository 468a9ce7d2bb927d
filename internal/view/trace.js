// Shows one attempt at a time. Without it all of them stand below each other.
const all = [...document.querySelectorAll(".attempt")];
const at = document.getElementById("at");
const place = () => all.findIndex((s) => "#" + s.id === location.hash);
function show(n) {
  all.forEach((s, i) => { s.hidden = i !== n; });
  at.value = n + 1;
  at.setAttribute("aria-valuetext", all[n].querySelector("h2").textContent);
  document.getElementById("number").textContent = all[n].id.replace("attempt-", "") + " of " + all[all.length - 1].id.replace("attempt-", "");
}
if (all.length > 1) {
  at.max = all.length;
  at.addEventListener("input", () => { show(at.value - 1); history.replaceState(null, "", "#" + all[at.value - 1].id); });
  addEventListener("hashchange", () => { if (place() >= 0) show(place()); });
  document.getElementById("scrub").hidden = false;
  show(place() >= 0 ? place() : all.length - 1);
}
