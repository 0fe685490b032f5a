/** The form of a check of the security run, and the report. */
import type { Access } from '@karaar/contracts/kit';
import type { Inside } from '../src/authorization/identities.ts';

/** A guard that did not hold, without the secret or the payload itself. */
export type Finding = {
  where: string;
  what: string;
  /** The check could not decide: a failure only with --strict. */
  undecided?: true;
};

/** The running product. */
export type Target = {
  /** Of the gateway, without `/api`. */
  url: string;
  /** Returns a token of this audience; a `fresh` one for a call that ends the session or the account. */
  token: (access: Access, fresh?: boolean) => Promise<string | undefined>;
  inside: Inside & {
    natsUrl: string;
    redisUrl: string;
    /** Base URLs of the internal ports, by process. */
    inner: Readonly<Record<string, string>>;
  };
};

type Named = {
  name: string;
  /** The claim that is true without a finding. */
  holds: string;
};
/** Attacks the running product. With `needsPages` the front end is built before. */
export type ProductCheck = Named & { run: (target: Target) => Promise<Finding[]>; needsPages?: true };
/** Reads only the repository; no product is started. */
export type FileCheck = Named & { look: () => Promise<Finding[]> };
export type Check = ProductCheck | FileCheck;

export type Result = { check: Named; findings: readonly Finding[] };

/** The most findings that the report prints for a check. */
const PRINTED = 50;

/** Returns the report, and true if the run passes. */
export function verdictOf(results: readonly Result[], strict: boolean): { text: string; passes: boolean } {
  const broken = results.flatMap(({ findings }) => findings).filter(({ undecided }) => !undecided).length;
  const open = results.filter(({ findings }) => findings.some(({ undecided }) => undecided)).length;
  const lines = results.flatMap(({ check, findings }) => {
    const decided = findings.some(({ undecided }) => !undecided);
    const verdict = decided ? 'BROKEN ' : findings.length > 0 ? 'UNKNOWN' : 'holds  ';
    const left = findings.length - PRINTED;
    return [
      `${verdict}  ${check.name}: ${check.holds}`,
      ...findings.slice(0, PRINTED).map(({ where, what }) => `           ${where}: ${what}`),
      ...(left > 0 ? [`           and ${left} more`] : []),
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

/** Finds a product that an attack has broken. */
export async function brokenAfter({ url }: Pick<Target, 'url'>): Promise<Finding[]> {
  const health = (await (await fetch(`${url}/api/health`)).json()) as { status?: string };
  if (health.status === 'ok') return [];
  return [{ where: 'afterwards', what: `the product is ${String(health.status)}` }];
}
