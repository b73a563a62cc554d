// What a game brings for its own page; docs/write-a-game.md describes it.

const HOOKS = ["marks", "animate", "skip", "shown", "happened", "headings", "refused", "press", "drags", "key", "prompt"];

/**
 * The hooks of the module at an address, called with the table; those that it does not have, or that fail, do nothing: the page plays on.
 * @returns {Promise<Record<string, any>>}
 */
export async function ownModule(address, table) {
  let given = {};
  const report = (problem) => console.error(`${address} does not work`, problem);
  try {
    if (address) given = (await import(address)).default(table);
  } catch (problem) {
    report(problem);
  }
  const careful = (hook) => (...state) => {
    try {
      const found = hook?.(...state);
      return found instanceof Promise ? found.catch(report) : found;
    } catch (problem) {
      return report(problem);
    }
  };
  return { ...Object.fromEntries(HOOKS.map((name) => [name, careful(given[name])])), animates: Boolean(given.animate), prompts: Boolean(given.prompt) };
}
