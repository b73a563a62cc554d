// What this browser remembers, or with "sessionStorage" only this window. Where it may not or the store is full, nothing is remembered, and all else works.

export function recall(key, otherwise, store = "localStorage") {
  try {
    return JSON.parse(window[store].getItem(`ludarium-${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value, store = "localStorage") {
  try {
    const [name, text] = [`ludarium-${key}`, JSON.stringify(value)];
    if (window[store].getItem(name) !== text) window[store].setItem(name, text); // reading costs far less than writing
  } catch {
    // as said above
  }
}
