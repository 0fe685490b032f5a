/** Services accept the service credentials of `npm start` in development and refuse them in production. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceCredentials } from '@karaar/contracts/internal';
import { backingPaths } from '@karaar/testing/backing/paths';
import { processEnv, processSpecs, type ProductFacts } from '@karaar/dev/processes/services';
import { ConfigError } from '@karaar/base/config';
import { readConfig as documents } from '@karaar/service-documents/config';
import { readConfig as payments } from '@karaar/service-payments/config';
import { readConfig as vision } from '@karaar/service-vision/config';
import { readConfig as wallet } from '@karaar/service-wallet/config';

const readers: Readonly<Record<string, (env: NodeJS.ProcessEnv) => unknown>> = {
  documents,
  payments,
  vision,
  wallet,
};
const folder = mkdtempSync(join(tmpdir(), 'karaar-service-credentials-'));
afterAll(() => rmSync(folder, { recursive: true }));

const urls = Object.fromEntries(processSpecs.map(({ name }) => [name, `http://127.0.0.1/${name}`]));
const facts: ProductFacts = {
  paths: backingPaths(folder),
  urls: urls as ProductFacts['urls'],
  innerUrls: urls as ProductFacts['innerUrls'],
  publicUrl: 'http://localhost:8080',
  mailPort: 2525,
  natsUrl: 'nats://n',
  redisUrl: 'redis://r',
  databaseUrls: Object.fromEntries(
    ['documents', 'payments', 'wallet'].map((name) => [
      name,
      { owner: `postgres://o${name}`, runtime: `postgres://${name}` },
    ]),
  ),
  chromium: '/usr/bin/chromium',
  soffice: '/usr/bin/soffice',
};

/** Returns the service credential variables that a process of this name refuses. */
function refused(name: string, more: Record<string, string>): string[] {
  const spec = processSpecs.find((one) => one.name === name);
  const read = readers[name];
  if (!spec || !read) throw new Error(`${name} has no service credential that this test knows`);
  try {
    read(processEnv(spec, facts, { outer: 1, inner: 2 }, more));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((fault) => fault.name).filter((variable) => variable.includes('_TO_'));
  }
}

const ends = [...new Set(serviceCredentials.flatMap(({ caller, callee }) => [caller, callee]))];

it.each(ends)('%s', (name) => {
  const own = serviceCredentials.filter(({ caller, callee }) => caller === name || callee === name);
  const variables = own.map(({ variable }) => variable);
  const production = { NODE_ENV: 'production' };
  expect(refused(name, {})).toEqual([]);
  expect(refused(name, production).sort()).toEqual([...variables].sort());
  const given = Object.fromEntries(variables.map((variable, index) => [variable, String(index).repeat(64)]));
  expect(refused(name, { ...production, ...given })).toEqual([]);
  for (const variable of variables) expect(refused(name, { ...given, [variable]: '' })).toEqual([variable]);
});
