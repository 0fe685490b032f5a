import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { say, seconds, SetupError } from '@karaar/testing/machine/report';
import { isClosing } from '@karaar/testing/processes/child';
import { cloneRoot } from '@karaar/testing/roots';
import { faultOf, tool } from '../tool.ts';

const SMOKE = '--smoke';
const smokeEnv = { ...process.env, BENCH_SMOKE: '1' };
const longestSmokeMs = 6 * 60_000;

/**
 * `npm run bench`: runs `bench/NAME/main.ts`; with `--smoke` its short form, or all short forms without a
 * name.
 */
export async function bench(args: readonly string[]): Promise<number> {
  const isSmoke = args.includes(SMOKE);
  const [name, ...rest] = args.filter((arg) => arg !== SMOKE);
  if (name === undefined && isSmoke) return (await smokeBenches()).failed === 0 ? 0 : 1;
  const known = benchmarks();
  if (name === undefined || !known.includes(name)) {
    throw new SetupError(
      `Usage: npm run bench -- NAME [${SMOKE}]\n       npm run bench -- ${SMOKE}\nBenchmarks: ${known.join(', ') || 'none yet'}`,
    );
  }
  return tool(entryOf(name), rest, isSmoke ? smokeEnv : process.env);
}

/** Runs the short form of every benchmark in turn and prints a line for each. */
export async function smokeBenches(): Promise<{ passed: number; failed: number }> {
  const outcome = { passed: 0, failed: 0 };
  for (const name of benchmarks()) {
    if (isClosing()) break;
    outcome[(await smokePasses(name)) ? 'passed' : 'failed'] += 1;
  }
  say(`${outcome.passed} passed, ${outcome.failed} failed`);
  return outcome;
}

async function smokePasses(name: string): Promise<boolean> {
  const began = Date.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), longestSmokeMs);
  const args = [join(cloneRoot, entryOf(name))];
  const fault = await faultOf(`smoke-${name}`, process.execPath, args, smokeEnv, limit.signal);
  clearTimeout(timer);
  const took = seconds(began);
  if (fault) {
    say(`  !!  ${name} failed (${took}, ${fault.how}): ${fault.logFile}`);
    say(fault.lines.slice(-20).join('\n'));
  } else say(`  ok  ${name} (${took})`);
  return fault === undefined;
}

const entryOf = (name: string): string => join('bench', name, 'main.ts');

function benchmarks(): string[] {
  const entries = readdirSync(join(cloneRoot, 'bench'));
  return entries.filter((entry) => existsSync(join(cloneRoot, entryOf(entry))));
}
