/**
 * `npm run security`: attacks its own product on loopback and reports which guards held.
 *
 *   --only fuzz,headers    some checks; secrets, dependencies, exposure and parsers alone start no product
 *   --strict               an undecided check fails too
 *   --seed N               of the random values; printed, to repeat a finding
 */
import { parseArgs } from 'node:util';
import { withProduct } from '../src/own-product.ts';
import { roomyEnv } from '../src/room.ts';
import { verdictOf, type Check, type Result } from './check.ts';
import { callers } from './access/callers.ts';
import { fileLinks } from './access/file-links.ts';
import { sockets } from './access/sockets.ts';
import { fuzzing } from './hostile-input/fuzz.ts';
import { headerRules } from './hostile-input/headers.ts';
import { parsers } from './hostile-input/parsers.ts';
import { steps } from './hostile-input/paths.ts';
import { rendering } from './hostile-input/rendering.ts';
import { smuggling } from './hostile-input/smuggling.ts';
import { uploads } from './hostile-input/uploads.ts';
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
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
if (!Number.isInteger(seed)) throw new Error('--seed is a whole number');
const all: Check[] = [
  ...[secrets, dependencies, exposure, parsers(seed)],
  ...[headerRules, steps, fileLinks, takeover, tables, sockets, smuggling, uploads, rendering, fuzzing(seed)],
  // Last: it reads the logs of all others.
  logs,
];
const known = all.map(({ name }) => name);
const names = values.only?.split(',') ?? known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0)
  throw new Error(`Unknown check: ${unknown.join(', ')}. Choose from ${known.join(', ')}`);

const results: Result[] = [];
const chosen = all.filter(({ name }) => names.includes(name));
for (const check of chosen) if ('look' in check) results.push({ check, findings: await check.look() });
const breaking = chosen.filter((check) => 'run' in check);
const setup = {
  web: breaking.some(({ needsPages }) => needsPages === true),
  env: { ...roomyEnv, CLAMD_ADDRESS: process.env['CLAMD_ADDRESS'] },
};
if (breaking.length > 0)
  await withProduct(setup, async ({ url, backing, processes }, stateDir) => {
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
      process.stdout.write(`ran ${check.name}\n`);
    }
  });
const { text, passes } = verdictOf(results, values.strict);
process.stdout.write(text);
process.exitCode = passes ? 0 : 1;
