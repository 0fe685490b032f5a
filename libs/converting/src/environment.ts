/** What the converter refuses to be given: whoever takes it over by a file finds nothing to take along. */

/** Words of the names by which secrets go, and the names of the addresses of stores. */
const NAME =
  /(^|_)(SECRETS?|PASSWORD|PASSWD|TOKENS?|CREDENTIALS?|KEYS?|KEK|PIN|P12|DSN)(_|$)|^(DATABASE|NATS|REDIS|BLOB)_(URL|DIR)$/i;
/** A password within an address, or a private key. */
const VALUE = /:\/\/[^/\s:@]*:[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Names of the variables that hold a secret by their name or by their value, in order. */
export const secretsIn = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env)
    .filter(([name, value]) => value !== undefined && value !== '' && (NAME.test(name) || VALUE.test(value)))
    .map(([name]) => name)
    .sort();

/** The variables in the text of `/proc/<pid>/environ`. */
export function environmentOf(text: string): NodeJS.ProcessEnv {
  const pairs = text.split('\0').map((line) => {
    const [name = ''] = line.split('=', 1);
    return [name, line.slice(name.length + 1)] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}
