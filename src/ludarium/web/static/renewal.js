// A page that changes while it is read: asks now and then whether the server has a newer one, and takes over what differs, so that nothing flickers and
// neither scroll nor focus are lost.

import { takeOver } from "./taking_over.js";
import { inLocalTime } from "./words.js";

const MOST = 60; // seconds between two attempts while the server does not answer

let tag = null;
let failures = 0;
let timer = 0;

const main = () => document.querySelector("main");

async function renew() {
  try {
    const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(1000 * MOST), headers: tag ? { "If-None-Match": tag } : {} });
    if (answer.status === 200) {
      const newer = new DOMParser().parseFromString(await answer.text(), "text/html");
      tag = answer.headers.get("ETag");
      inLocalTime(newer);
      takeOver(main(), newer.querySelector("main"));
      document.title = newer.title;
    }
    failures = answer.ok || answer.status === 304 ? 0 : failures + 1;
  } catch {
    failures++; // the server has stopped, or the line is down: it may come back
  }
  wait();
}

function wait() {
  clearTimeout(timer);
  const seconds = Math.min(MOST, Number(main().dataset.renew) * 2 ** failures);
  if (!document.hidden) timer = setTimeout(renew, 1000 * seconds * (0.9 + 0.2 * Math.random())); // a class does not ask all at once
}

document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : renew()));
wait();
