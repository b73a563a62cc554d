// Copying text, also where the page is not served securely or the browser refuses the modern way.

/** Whether the text was copied. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = text;
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

/** Says on the button itself, and to who does not see it, whether its text was copied; where it was not, the text is shown, to be copied by hand. */
export async function copyFrom(button, text) {
  const isCopied = await copyText(text);
  if (!isCopied) prompt("This browser does not let the page copy. Here is the text:", text);
  const before = button.dataset.label ?? button.textContent;
  button.dataset.label = before;
  const said = document.querySelector("#copied"); // many buttons are called by a label, which stays
  button.textContent = said.textContent = isCopied ? "Copied" : "Not copied";
  setTimeout(() => {
    button.textContent = before;
    said.textContent = "";
  }, 1500);
}

/** Gives a link to whatever a phone sends links with; elsewhere copies it. */
export async function handOn(button, title, url) {
  if (navigator.share && matchMedia("(hover: none)").matches) await navigator.share({ title, url }).catch(() => {}); // who changes their mind has not failed
  else await copyFrom(button, url);
}
