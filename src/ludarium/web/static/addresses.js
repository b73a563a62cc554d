// Addresses of this server, below the path at which a proxy serves it.

/** The address of a path of this server, such as "/people". */
export const at = (path) => `${globalThis.document?.documentElement?.dataset?.root ?? ""}${path}`;
