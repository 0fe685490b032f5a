/**
 * `npm run security`: tries to break a product of its own, on loopback, and says what held.
 *
 *   --only fuzz,headers    checks by name
 *   --runs 30              calls a route of the fuzzing
 *   --seed N               of what is made up; printed, so that a finding can be had again
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '@karaar/dev/product';
import type { Check, Finding } from './check.ts';
import { checksOf } from './checks.ts';
import { callers } from './callers.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
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

const ROOM = '1000000';
// The product's processes do not keep the one that started them alive.
const alive = setInterval(() => undefined, 60_000);
const product = await startProduct({
  stateDir: join(await mkdtemp(join(tmpdir(), 'karaar-security-')), 'state'),
  quiet: true,
  env: {
    LOG_LEVEL: 'warn',
    OTP_IP_PER_HOUR: ROOM,
    OTP_TOTAL_PER_HOUR: ROOM,
    REGISTER_IP_PER_HOUR: ROOM,
    RATE_LIMIT_PER_MINUTE: ROOM,
    RATE_LIMIT_SENSITIVE_PER_MINUTE: ROOM,
    CLAMD_ADDRESS: process.env['CLAMD_ADDRESS'],
  },
});
let failed = 0;
let open = 0;
try {
  const target = { url: product.url, token: callers(product.url) };
  process.stdout.write(`seed ${seed}\n`);
  for (const check of all.filter(({ name }) => names.includes(name))) {
    const findings = await check.run(target);
    failed += report(check, findings);
    if (findings.some((finding) => finding.undecided)) open += 1;
  }
} finally {
  await product.stop({ remove: true });
  clearInterval(alive);
}
process.stdout.write(
  `${failed} ${failed === 1 ? 'guard' : 'guards'} did not hold; ${open} of ${names.length} checks could not be decided here\n`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** How many guards did not hold. */
function report(check: Check, findings: readonly Finding[]): number {
  const broken = findings.filter(({ undecided }) => !undecided).length;
  const verdict = broken > 0 ? 'BROKEN ' : findings.length > 0 ? 'UNKNOWN' : 'holds  ';
  process.stdout.write(`${verdict}  ${check.name}: ${check.holds}\n`);
  for (const { where, what } of findings) process.stdout.write(`           ${where}: ${what}\n`);
  return broken;
}
