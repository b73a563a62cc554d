// What a game brings for its own page; docs/write-a-game.md describes it.

const HOOKS = ["marks", "animate", "shown"];

/** The hooks of the module at an address, called with the table; those that it does not have do nothing. */
export async function ownModule(address, table) {
  const hooks = Object.fromEntries(HOOKS.map((name) => [name, () => undefined]));
  if (!address) return hooks;
  try {
    const { default: sit } = await import(address);
    Object.assign(hooks, sit(table));
  } catch (problem) {
    console.error(`${address} does not work`, problem); // the page plays without it
  }
  return hooks;
}
