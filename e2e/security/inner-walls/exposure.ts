/** Starts sandboxes and demo accounts on an address that other machines can reach: each process must refuse. */
import { spawn } from 'node:child_process';
import { processEnv, processSpecs, type ProductFacts } from '@karaar/dev/processes/services';
import { backingPaths } from '@karaar/testing/backing/paths';
import { cloneRoot } from '@karaar/testing/roots';
import { scratch } from '@karaar/testing/scratch';
import type { FileCheck, Finding } from '../check.ts';

const STARTS = ['sandbox', 'gateway', 'auth', 'documents', 'wallet'];
/** Nothing listens there: a process that does not refuse fails later, with another error. */
const NOWHERE = '127.0.0.1:9';
const LIMIT_MS = 30_000;

/** The facts of a product whose backing services do not run. */
function factsIn(dir: string): ProductFacts {
  const of = <T>(value: T) => Object.fromEntries(processSpecs.map(({ name }) => [name, value]));
  const urls = of(`http://${NOWHERE}`) as ProductFacts['urls'];
  const database = `postgres://nobody@${NOWHERE}/nothing`;
  return {
    ...{ paths: backingPaths(dir), urls, innerUrls: urls, publicUrl: `http://${NOWHERE}`, mailPort: 9 },
    ...{ natsUrl: `nats://${NOWHERE}`, redisUrl: `redis://${NOWHERE}` },
    ...{ databaseUrls: of({ owner: database, runtime: database }), chromium: undefined, soffice: undefined },
  };
}

/** Returns the output of a process until it has ended, or has refused or started. */
function outputOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd: cloneRoot, env, timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const;
  const child = spawn(process.execPath, args, options);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/EXPOSED_DEVELOPMENT|"msg":"ready"|listens/.test(text)) child.kill('SIGKILL');
    });
  return new Promise((resolve) => child.on('close', () => resolve(text)));
}

export const exposure: FileCheck = {
  name: 'exposure',
  holds: 'sandboxes and demo accounts do not start on an address that other machines can reach',
  look: async () => {
    const { dir, remove } = scratch();
    const HOST = '0.0.0.0';
    const start = { PATH: process.env['PATH'], KARAAR_STATE: dir, HOST };
    const outputs = new Map([['npm start', await outputOf(['infra/dev/src/main.ts', 'start'], start)]]);
    for (const spec of processSpecs.filter(({ name }) => STARTS.includes(name))) {
      const env = processEnv(spec, factsIn(dir), { outer: 0, inner: 0 }, { HOST });
      outputs.set(spec.name, await outputOf([spec.entry], env));
    }
    remove();
    return [...outputs].flatMap(([where, text]): Finding[] => {
      if (text.includes('EXPOSED_DEVELOPMENT')) return [];
      return [{ where, what: `does not refuse HOST=0.0.0.0; its output: ${text.slice(-300)}` }];
    });
  },
};
