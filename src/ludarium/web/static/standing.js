// Who is ahead: the players' ranks by one of the game's measures.

/** The rank of each number among all, 1 for the highest; equal ones share theirs. */
export function ranksOf(values) {
  return values.map((value) => 1 + values.filter((other) => other > value).length);
}

/** A rank in words: "1st". */
export function rankInWords(rank) {
  return `${rank}${["th", "st", "nd", "rd"][rank] ?? "th"}`;
}

/** Puts rank and figure into the players' entries of a strip, and the entries in this order; `measure` is its name, `values` are by player. */
export function showStanding(entries, measure, values) {
  const ranks = ranksOf(values);
  values.forEach((value, player) => {
    const figure = Object.assign(document.createElement("b"), { className: "standing", title: measure });
    const parts = [["small", `${rankInWords(ranks[player])} · `], ["span", `${measure}: `]];
    figure.append(...parts.map(([kind, textContent]) => Object.assign(document.createElement(kind), { textContent })), value.toLocaleString("en"));
    entries[player].querySelector("strong").after(figure);
    entries[player].style.order = ranks[player];
  });
}
