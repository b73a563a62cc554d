// Nodes of drawings.

export function make(kind, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** From an element's coordinates to those of its drawing. */
export function wayTo(element) {
  return element.ownerSVGElement.getScreenCTM().inverse().multiply(element.getScreenCTM());
}
