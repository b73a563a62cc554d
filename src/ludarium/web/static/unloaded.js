// What a page says whose modules have not all come, on a bad line or from a busy server: without them nothing on it works. No module itself, since it comes first.

addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && sayUnloaded(), true);

function sayUnloaded() {
  if (!document.body) {
    addEventListener("DOMContentLoaded", sayUnloaded);
    return;
  }
  const again = Object.assign(document.createElement("button"), { type: "button", textContent: "Load it again" });
  again.addEventListener("click", () => location.reload());
  const banner = Object.assign(document.createElement("p"), { className: "banner", role: "alert" });
  document.body.prepend(banner);
  banner.append("Not all of this page has come from the server.", again);
}
