/** Reads the secrets in the environments of processes, and which of them several processes have. */
import { secretsIn } from '@karaar/converting/environment';
import { serviceCredentials } from '@karaar/contracts/internal';

/** Environments by process. */
export type Environments = ReadonlyMap<string, NodeJS.ProcessEnv>;
/** The variable with a secret, and the other processes that have the same secret. */
export type Held = { variable: string; others: string[] };

/** A provider's credential; every process that calls the provider has it. */
const PROVIDER = /^SMS_/;
/** Named like secrets, but public. */
const PUBLIC = ['RAZORPAY_KEY_ID', 'WITNESS_LOG_KEY', 'BLOB_DIR'];

/** Returns the secrets in a value: the password of an address, or the entries of a list without their ids. */
function secretsOf(value: string): string[] {
  const passwords = [...value.matchAll(/:\/\/[^/\s:@]*:([^/\s@]+)@/g)].map(([, password = '']) => password);
  if (passwords.length > 0) return passwords;
  return value.split(',').map((word) => word.replace(/^[a-z0-9-]{1,32}:/, ''));
}

const held = (environment: NodeJS.ProcessEnv): { variable: string; secrets: string[] }[] =>
  secretsIn(environment)
    .filter((variable) => !PUBLIC.includes(variable))
    .map((variable) => ({ variable, secrets: secretsOf(environment[variable] ?? '') }));

/** Returns all secrets in an environment, without the names of their variables. */
export const secretWords = (environment: NodeJS.ProcessEnv = {}): string[] =>
  held(environment).flatMap(({ secrets }) => secrets);

export const heldBy = (name: string, all: Environments): Held[] =>
  held(all.get(name) ?? {}).map(({ variable, secrets }) => {
    const others = [...all].filter(
      ([other, theirs]) => other !== name && secretWords(theirs).some((secret) => secrets.includes(secret)),
    );
    return { variable, others: others.map(([other]) => other).sort() };
  });

/** Returns the secrets that a process shares with another one that is not the other end of the credential. */
export const sharedWrongly = (secrets: readonly Held[]): string[] =>
  secrets.flatMap(({ variable, others }) => {
    const ends = serviceCredentials
      .filter((credential) => credential.variable === variable)
      .flatMap(({ caller, callee }): string[] => [caller, callee]);
    const wrong = PROVIDER.test(variable) ? [] : others.filter((other) => !ends.includes(other));
    return wrong.map((other) => `has a secret of ${other}: ${variable}`);
  });

/** Returns the row of the table in docs/security.md. */
export const environmentLine = (name: string, secrets: readonly Held[]): string => {
  const words = secrets.map(({ variable, others }) =>
    others.length === 0 ? `\`${variable}\`` : `\`${variable}\` (also ${others.join(', ')})`,
  );
  return `| ${name} | ${words.join(', ') || '–'} |`;
};
