/** What a check of the security run is, and what it looks at. */
import type { Access } from '@karaar/contracts/kit';
import type { Inside } from '../src/authorization/identities.ts';

/** A guard that did not hold: where, and what was seen. Never the secret or the payload itself. */
export type Finding = {
  where: string;
  what: string;
  /** It could not be found out whether it holds: said, but a break only with --strict. */
  undecided?: true;
};

/** The running product as a caller sees it. */
export type Target = {
  /** Of the gateway, without `/api`. */
  url: string;
  /** A token of this audience; `fresh` for a call that ends the session or the account. */
  token: (access: Access, fresh?: boolean) => Promise<string | undefined>;
  /** Behind the gateway, for those checks that bring in what no caller could. */
  inside: Inside & {
    natsUrl: string;
    redisUrl: string;
    /** The internal port of each process that has one. */
    inner: Readonly<Record<string, string>>;
  };
};

type Named = {
  name: string;
  /** What holds when there is no finding. */
  holds: string;
};
/** Tries to break the running product. */
export type ProductCheck = Named & {
  run: (target: Target) => Promise<Finding[]>;
  /** It asks for pages, so the front end is built. */
  needsPages?: true;
};
/** Looks at the repository alone; no product is started for it. */
export type FileCheck = Named & { look: () => Promise<Finding[]> };
export type Check = ProductCheck | FileCheck;

export type Result = { check: Named; findings: readonly Finding[] };

/**
 * What the run says, and whether it passes.
 * @param strict what could not be decided is a failure too: for pipelines, where nobody reads UNKNOWN
 */
export function verdictOf(results: readonly Result[], strict: boolean): { text: string; passes: boolean } {
  let broken = 0;
  let open = 0;
  const lines = results.flatMap(({ check, findings }) => {
    const failed = findings.filter(({ undecided }) => !undecided).length;
    broken += failed;
    if (findings.length > failed) open += 1;
    const verdict = failed > 0 ? 'BROKEN ' : findings.length > 0 ? 'UNKNOWN' : 'holds  ';
    return [
      `${verdict}  ${check.name}: ${check.holds}`,
      ...findings.map(({ where, what }) => `           ${where}: ${what}`),
    ];
  });
  lines.push(
    `${broken} ${broken === 1 ? 'guard' : 'guards'} did not hold; ${open} of ${results.length} checks could not be decided here${
      open > 0 && strict ? ', which --strict counts as a failure' : ''
    }`,
  );
  return { text: `${lines.join('\n')}\n`, passes: broken === 0 && (open === 0 || !strict) };
}

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };
