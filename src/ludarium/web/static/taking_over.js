// Makes an element like a newer one. What is the same stays where it is: the focus, what is scrolled and what is folded open.

export function takeOver(element, newer) {
  const focused = document.activeElement?.getAttribute("href");
  morph(element, newer);
  if (focused === undefined || focused === null || document.activeElement?.getAttribute("href") === focused) return;
  [...element.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus({ preventScroll: true }); // its row has moved
}

/** Makes an element's children like those of a newer one. */
export function takeOverChildren(element, newer) {
  const children = [...newer.childNodes];
  children.forEach((child, at) => {
    const old = element.childNodes[at];
    if (!old) element.append(child);
    else if (old.nodeName !== child.nodeName) old.replaceWith(child);
    else if (child.nodeType === Node.ELEMENT_NODE) morph(old, child);
    else if (old.data !== child.data) old.data = child.data;
  });
  while (element.childNodes.length > children.length) element.lastChild.remove();
}

function morph(element, newer) {
  if (element.isEqualNode(newer)) return;
  for (const { name } of [...element.attributes]) if (!newer.hasAttribute(name) && name !== "open") element.removeAttribute(name);
  for (const { name, value } of newer.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  takeOverChildren(element, newer);
}
