// A button, and the keys that press it.

/** @param {{ label: string, onClick: (event: MouseEvent) => void, key?: string, enterKey?: string, kind?: string }} shown */
export function button({ label, key, enterKey, kind, onClick }) {
  const node = Object.assign(document.createElement("button"), { type: "button", className: kind ?? "", textContent: label });
  if (key) {
    node.append(" ", Object.assign(document.createElement("kbd"), { textContent: key, ariaHidden: "true" }));
    node.setAttribute("aria-keyshortcuts", key);
  }
  if (enterKey !== undefined) node.dataset.enterKey = enterKey;
  node.addEventListener("click", onClick);
  return node;
}
