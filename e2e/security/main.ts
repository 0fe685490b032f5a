/**
 * `npm run security`: tries to break a product of its own, on loopback, and says what held.
 *
 *   --only fuzz,headers    checks by name; secrets, dependencies and exposure alone start no product
 *   --strict               what could not be decided fails too
 *   --runs 30              calls a route of the fuzzing
 *   --seed N               of what is made up; printed, so that a finding can be had again
 */
import { parseArgs } from 'node:util';
import { withProduct } from '../src/own-product.ts';
import { verdictOf, type Check, type Result } from './check.ts';
import { callers } from './access/callers.ts';
import { contacts, INVITATIONS, STRANGERS } from './abuse/contacts.ts';
import { invitationTexts } from './abuse/invitation-texts.ts';
import { price, PRICE_SET_BY } from './abuse/price.ts';
import { adminSignIn } from './access/admin-sign-in.ts';
import { authorization } from './access/authorization.ts';
import { fileLinks } from './access/file-links.ts';
import { passkeys } from './access/passkeys.ts';
import { sockets } from './access/sockets.ts';
import { fuzzing } from './hostile-input/fuzz.ts';
import { headerRules } from './hostile-input/headers.ts';
import { parsers } from './hostile-input/parsers.ts';
import { steps } from './hostile-input/paths.ts';
import { rendering } from './hostile-input/rendering.ts';
import { smuggling } from './hostile-input/smuggling.ts';
import { uploads } from './hostile-input/uploads.ts';
import { backups } from './inner-walls/backups.ts';
import { converter } from './inner-walls/converter.ts';
import { dependencies } from './inner-walls/dependencies.ts';
import { exposure } from './inner-walls/exposure.ts';
import { logs } from './inner-walls/logs.ts';
import { secrets } from './inner-walls/secrets.ts';
import { tables } from './inner-walls/tables.ts';
import { takeover } from './inner-walls/takeover.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    strict: { type: 'boolean', default: false },
    runs: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed))
  throw new Error('--runs and --seed are whole numbers');
/** The quick ones first, and last the look at what the others have left. */
const all: Check[] = [
  secrets,
  dependencies,
  exposure,
  parsers(seed),
  headerRules,
  steps,
  authorization,
  contacts,
  adminSignIn,
  passkeys,
  fileLinks,
  invitationTexts,
  price,
  backups,
  takeover,
  tables,
  converter,
  sockets,
  smuggling,
  uploads,
  rendering,
  fuzzing({ runs, seed }),
  logs,
];
const names = values.only?.split(',') ?? all.map(({ name }) => name);
const unknown = names.filter((name) => !all.some((check) => check.name === name));
if (unknown.length > 0)
  throw new Error(`No such check: ${unknown.join(', ')} (${all.map(({ name }) => name).join(', ')})`);

const results: Result[] = [];
const chosen = all.filter(({ name }) => names.includes(name));
for (const check of chosen) if ('look' in check) results.push({ check, findings: await check.look() });
const breaking = chosen.filter((check) => 'run' in check);
const setup = {
  web: breaking.some(({ needsPages }) => needsPages === true),
  env: {
    CLAMD_ADDRESS: process.env['CLAMD_ADDRESS'],
    INVITATIONS_PER_USER_AND_DAY: String(INVITATIONS),
    STRANGERS_PER_HOUR: String(STRANGERS),
    PRICE_SET_BY,
  },
};
if (breaking.length > 0)
  await withProduct('security', setup, async ({ url, backing, processes }, stateDir) => {
    const { postgresUrl, natsUrl, redisUrl } = backing;
    const services = Object.fromEntries(processes.map(({ name, url: own }) => [name, own]));
    const inner = Object.fromEntries(
      processes.flatMap(({ name, innerUrl }) => (innerUrl === undefined ? [] : [[name, innerUrl]])),
    );
    const inside = { url, postgresUrl, natsUrl, redisUrl, stateDir, services, inner };
    const token = callers(url);
    process.stdout.write(`seed ${seed}\n`);
    for (const check of breaking) {
      results.push({ check, findings: await check.run({ url, token, inside }) });
      process.stdout.write(`looked at ${check.name}\n`);
    }
  });
const { text, passes } = verdictOf(results, values.strict);
process.stdout.write(text);
process.exitCode = passes ? 0 : 1;
