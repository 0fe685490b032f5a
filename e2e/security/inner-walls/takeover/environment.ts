/** What the environment of one process gives away: its secrets, and who else has the same ones. */
import { secretsIn } from '@karaar/converting/environment';
import { serviceCredentials, type ServiceCredential } from '@karaar/contracts/internal';

/** Environments by the name of the process. */
export type Environments = ReadonlyMap<string, NodeJS.ProcessEnv>;
/** One secret, by the name of its variable, and the other processes in whose environment it is as well. */
export type Held = { variable: string; others: string[] };

/** Providers' own credentials, which all that call the provider have. */
const PROVIDER = /^SMS_/;
/** Named like a secret without being one: the account at the provider, the log's public key, a folder. */
const PUBLIC = new Set(['RAZORPAY_KEY_ID', 'WITNESS_LOG_KEY', 'BLOB_DIR']);

/** The words of a value that open something: each of a list, without its id; of an address its password. */
function wordsOf(value: string): string[] {
  const passwords = [...value.matchAll(/:\/\/[^/\s:@]*:([^/\s@]+)@/g)].map(([, password = '']) => password);
  if (passwords.length > 0) return passwords;
  return value.split(',').map((word) => word.replace(/^[a-z0-9-]{1,32}:/, ''));
}

const namesIn = (environment: NodeJS.ProcessEnv): string[] =>
  secretsIn(environment).filter((name) => !PUBLIC.has(name) && wordsOf(environment[name] ?? '').length > 0);

/** What opens something, of all secrets in an environment. */
export const secretWords = (environment: NodeJS.ProcessEnv): string[] =>
  namesIn(environment).flatMap((name) => wordsOf(environment[name] ?? ''));

/** Every secret of a process. */
export function heldBy(name: string, all: Environments): Held[] {
  const environment = all.get(name) ?? {};
  return namesIn(environment).map((variable) => {
    const words = new Set(wordsOf(environment[variable] ?? ''));
    const others = [...all].filter(
      ([other, theirs]) =>
        other !== name &&
        namesIn(theirs).some((one) => wordsOf(theirs[one] ?? '').some((word) => words.has(word))),
    );
    return { variable, others: others.map(([other]) => other).sort() };
  });
}

/** Secrets that a process has in common with a process that is not the other end of the service credential. */
export function sharedWrongly(held: readonly Held[]): string[] {
  return held.flatMap(({ variable, others }) => {
    if (PROVIDER.test(variable)) return [];
    const credential = (serviceCredentials as readonly ServiceCredential[]).find(
      (one) => one.variable === variable,
    );
    const ends = credential ? [credential.caller, credential.callee] : [];
    const wrong = others.filter((other) => !ends.includes(other as ServiceCredential['caller']));
    return wrong.map((other) => `has a secret of ${other}: ${variable}`);
  });
}

/** A line of the table in docs/security.md. */
export const environmentLine = (name: string, held: readonly Held[]): string => {
  const words = held.map(({ variable, others }) =>
    others.length === 0 ? `\`${variable}\`` : `\`${variable}\` (also ${others.join(', ')})`,
  );
  return `| ${name} | ${words.length === 0 ? '–' : words.join(', ')} |`;
};
