/** What a check of the security run is, and what it looks at. */
import type { Access } from '@karaar/contracts/kit';

/** A guard that did not hold: where, and what was seen. Never the secret or the payload itself. */
export type Finding = {
  where: string;
  what: string;
  /** It could not be found out whether it holds: said, but no break. */
  undecided?: true;
};

/** The running product as a caller sees it. */
export type Target = {
  /** Of the gateway, without `/api`. */
  url: string;
  /** A token of this audience; `fresh` for a call that ends the session or the account. */
  token: (access: Access, fresh?: boolean) => Promise<string | undefined>;
};

export type Check = {
  name: string;
  /** What holds when there is no finding. */
  holds: string;
  run: (target: Target) => Promise<Finding[]>;
};

/** Runs over all, a few at a time, and gathers what each found. */
export async function gather<T>(all: readonly T[], look: (one: T) => Promise<Finding[]>): Promise<Finding[]> {
  const left = [...all];
  const found: Finding[] = [];
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) found.push(...(await look(one)));
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return found;
}

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };
