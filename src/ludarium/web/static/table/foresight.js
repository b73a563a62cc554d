// Where what the user plans leads: questions to the server, and the answer to the last one.

export class Foresight {
  /** `send(message)` says whether it was sent. */
  constructor(send) {
    this.send = send;
    this.asked = null; // the last question, as a text
    this.resolve = (_events) => {};
  }

  /** A promise of what would happen if the user played these actions in a position; null if another question comes first, or this one cannot be sent. */
  ask(ply, actions) {
    this.resolve(null);
    return new Promise((resolve) => {
      [this.asked, this.resolve] = [JSON.stringify([ply, actions]), resolve];
      if (!this.send({ type: "foresee", ply, actions })) resolve(null);
    });
  }

  answered({ ply, actions, events }) {
    if (JSON.stringify([ply, actions]) === this.asked) this.resolve(events);
  }
}
