// What this browser remembers. Where it may not or the store is full, nothing is remembered, and all else works.

export function recall(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`ludarium-${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`ludarium-${key}`, JSON.stringify(value));
  } catch {
    // as said above
  }
}
