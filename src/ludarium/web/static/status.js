// What the line under the board says, and which buttons it offers.

/** {text, choices, tone} for the state of the page; `tone` is quiet, turn, alarm or end. */
export function describe({ welcome, latest, shown, selection, confirming, typed }, does) {
  const names = welcome.players.map(({ name }) => name);
  if (confirming) {
    const word = confirming.picks.at(-1);
    const waves = confirming.effects.map((wave) => wave.join(" ")).join(", then ");
    const choices = [
      { label: `Confirm ${word}`, key: "Enter", kind: "danger", onClick: does.confirm },
      { label: "Cancel", key: "Esc", onClick: does.retreat },
    ];
    return { text: `${confirming.text} reaches ${waves}`, choices, tone: "alarm" };
  }
  if (!shown.latest) {
    const where = shown.ply ? `After ${shown.ply}. ${shown.move}, of ${latest.length}` : "The start of the game";
    return { text: where, choices: [{ label: "Back to the game", key: "End", onClick: does.goToLatest }], tone: "quiet" };
  }
  if (latest.outcome) return ended(latest.outcome, names, does);
  if (latest.takeback !== null && welcome.you !== null) return takingBack(latest.takeback, names, welcome.you, does);
  if (selection.path.length) return choosing(selection, typed, does);
  const news = latest.move ? `${latest.move} was played. ` : "";
  if (selection.actions.length) return { text: `${news}Your turn${typed ? `, moving ${typed}` : ""}`, choices: [], tone: "turn" };
  const movers = latest.to_move.map((player) => names[player]).join(" and ");
  const verb = latest.thinking.length ? (latest.to_move.length > 1 ? "are thinking" : "is thinking") : "to move";
  return { text: `${news}${movers} ${verb}`, choices: [], tone: "quiet" };
}

function choosing(selection, typed, { isElement, take, retreat }) {
  const elsewhere = selection.next.filter((name) => !isElement(name));
  const onBoard = elsewhere.length < selection.next.length;
  const words = onBoard ? elsewhere : elsewhere.filter((name) => !/^\d/.test(name));
  const choices = words.map((name) => ({ label: name, key: name[0], kind: "warning", onClick: () => take(name) }));
  choices.push({ label: "Cancel", key: "Esc", onClick: retreat });
  const what = onBoard ? (typed ? `move ${typed} where?` : "where to?") : "how many?";
  return { text: `${selection.path.join(" → ")}: ${what}`, choices, tone: "turn" };
}

function takingBack(asking, names, you, { takeBack }) {
  if (asking === you) return { text: "You asked to take back your last turn", choices: [], tone: "quiet" };
  const choices = [{ label: "Allow", kind: "primary", onClick: takeBack }];
  return { text: `${names[asking]} asks to take back the last turn; playing on declines`, choices, tone: "turn" };
}

function ended({ winner, reason }, names, { playAgain }) {
  const result = winner === null ? "Draw" : `${names[winner]} wins`;
  return { text: `${result}: ${reason}`, choices: [{ label: "Play again", kind: "primary", onClick: playAgain }], tone: "end" };
}
