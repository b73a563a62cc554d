// Walking through the game by itself, at a chosen speed, and with a slider.

export class Replay {
  /** `isBusy()` says whether positions are still on their way; none is skipped. */
  constructor({ slider, play, speed }, timeline, isBusy) {
    this.slider = slider;
    this.button = play;
    this.speed = speed;
    this.timeline = timeline;
    this.isBusy = isBusy;
    this.timer = 0;
    slider.addEventListener("input", () => {
      const wanted = Number(slider.value); // which pausing sets back to what is shown
      this.pause();
      timeline.go(wanted);
    });
    play.addEventListener("click", () => this.toggle());
    speed.addEventListener("change", () => this.timer && this.#start());
    timeline.onShow = () => this.#show();
    this.#show();
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.timeline.isLatest) this.timeline.go(0);
    this.#start();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.#show();
  }

  #start() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#step(), 1000 / Number(this.speed.value));
    this.#show();
  }

  #step() {
    if (this.isBusy()) return;
    if (this.timeline.isLatest) this.pause();
    else this.timeline.go(this.timeline.at + 1);
  }

  #show() {
    const { at, moves } = this.timeline;
    this.slider.max = moves.length;
    this.slider.value = at;
    this.slider.disabled = this.button.disabled = this.speed.disabled = moves.length === 0;
    this.slider.setAttribute("aria-valuetext", `${at} of ${moves.length}${at ? `: ${moves[at - 1]}` : ""}`);
    this.button.setAttribute("aria-label", this.timer ? "Pause" : "Play the game from here");
    this.button.title = this.timer ? "Pause (Space)" : "Play (Space)";
    this.button.classList.toggle("playing", this.timer !== 0);
  }
}
