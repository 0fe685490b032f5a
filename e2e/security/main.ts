/**
 * `npm run security`: tries to break a product of its own, on loopback, and says what held.
 *
 *   --only fuzz,headers    checks by name; secrets, dependencies and exposure alone start no product
 *   --strict               what could not be decided fails too
 *   --runs 30              calls a route of the fuzzing
 *   --seed N               of what is made up; printed, so that a finding can be had again
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '@karaar/dev/product';
import { verdictOf, type Result } from './check.ts';
import { checksOf } from './checks.ts';
import { callers } from './access/callers.ts';
import { INVITATIONS, STRANGERS } from './abuse/contacts.ts';
import { PRICE_SET_BY } from './abuse/price.ts';
import { roomyEnv } from '../src/room.ts';

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
const all = checksOf({ runs, seed });
const names = values.only?.split(',') ?? all.map(({ name }) => name);
const unknown = names.filter((name) => !all.some((check) => check.name === name));
if (unknown.length > 0)
  throw new Error(`No such check: ${unknown.join(', ')} (${all.map(({ name }) => name).join(', ')})`);

const results: Result[] = [];
const chosen = all.filter(({ name }) => names.includes(name));
for (const check of chosen) if ('look' in check) results.push({ check, findings: await check.look() });
const breaking = chosen.filter((check) => 'run' in check);
if (breaking.length > 0) {
  // The product's processes do not keep the one that started them alive.
  const alive = setInterval(() => undefined, 60_000);
  const stateDir = await mkdtemp(join(tmpdir(), 'karaar-security-'));
  const product = await startProduct({
    stateDir,
    quiet: true,
    web: breaking.some(({ withoutPages }) => withoutPages !== true),
    env: {
      ...roomyEnv,
      CLAMD_ADDRESS: process.env['CLAMD_ADDRESS'],
      INVITATIONS_PER_USER_AND_DAY: String(INVITATIONS),
      STRANGERS_PER_HOUR: String(STRANGERS),
      PRICE_SET_BY,
    },
  });
  try {
    const inside = {
      url: product.url,
      postgresUrl: product.backing.postgresUrl,
      natsUrl: product.backing.natsUrl,
      redisUrl: product.backing.redisUrl,
      stateDir,
      services: Object.fromEntries(product.processes.map(({ name, url }) => [name, url])),
      inner: Object.fromEntries(
        product.processes.flatMap(({ name, innerUrl }) => (innerUrl === undefined ? [] : [[name, innerUrl]])),
      ),
    };
    const target = { url: product.url, token: callers(product.url), inside };
    process.stdout.write(`seed ${seed}\n`);
    for (const check of breaking) {
      results.push({ check, findings: await check.run(target) });
      process.stdout.write(`looked at ${check.name}\n`);
    }
  } finally {
    await product.stop({ remove: true });
    clearInterval(alive);
  }
}
const { text, passes } = verdictOf(results, values.strict);
process.stdout.write(text);
process.exitCode = passes ? 0 : 1;
