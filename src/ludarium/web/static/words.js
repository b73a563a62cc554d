// Dates and sentences as all pages write them. arena/reports/words.py does the same where pages are made.

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** A text with one full stop at its end. */
export function sentence(/** @type {string} */ text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** A time in the reader's time zone: 28 November 2026, 22:58. */
export function moment(/** @type {Date} */ time) {
  return Object.assign(document.createElement("time"), { dateTime: time.toISOString(), textContent: inWords(time) });
}

/** Says the times of a page in the reader's time zone. Days stay as they are. */
export function inLocalTime(/** @type {ParentNode} */ page) {
  for (const time of page.querySelectorAll("time")) if (time.dateTime.includes("T")) time.textContent = inWords(new Date(time.dateTime));
}

function inWords(/** @type {Date} */ time) {
  return `${DAY.format(time)}, ${CLOCK.format(time)}`;
}
