// Who is ahead: the players' ranks by one of the game's measures.

/** The rank of each number among all, 1 for the highest; equal ones share theirs. */
export function ranksOf(values) {
  return values.map((value) => 1 + values.filter((other) => other > value).length);
}

/** Puts rank and figure into the players' entries of a strip, and the entries in this order; `measure` is its name, `values` are by player. */
export function showStanding(entries, measure, values) {
  const ranks = ranksOf(values);
  values.forEach((value, player) => {
    const figure = Object.assign(document.createElement("b"), { className: "standing", title: measure });
    figure.append(`${ranks[player]}. `, Object.assign(document.createElement("span"), { textContent: `${measure}: ` }), value.toLocaleString("en"));
    entries[player].querySelector("strong").after(figure);
    entries[player].style.order = ranks[player];
  });
}
