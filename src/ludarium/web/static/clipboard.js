// Copying text, also where the page is not served securely and the modern way is closed.

export async function copyText(text) {
  if (navigator.clipboard && isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.body.appendChild(document.createElement("textarea"));
  area.value = text;
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Says on the button itself that its text was copied. */
export async function copyFrom(button, text) {
  await copyText(text);
  const before = button.dataset.label ?? button.textContent;
  button.dataset.label = before;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = before), 1500);
}

/** Gives a link to whatever a phone sends links with; elsewhere copies it. */
export async function handOn(button, title, url) {
  if (navigator.share && matchMedia("(hover: none)").matches) await navigator.share({ title, url }).catch(() => {}); // who changes their mind has not failed
  else await copyFrom(button, url);
}
