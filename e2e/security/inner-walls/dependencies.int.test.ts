/** The check of dependencies, with npm against registries that answer audits or refuse them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { verdictOf } from '../check.ts';
import { audit, seriousOf } from './dependencies.ts';

const ADVISORIES = '/-/npm/v1/security/advisories/bulk';
let folder: string;
let registry: Server;
let url: string;
let asked: { path: string; body: string }[];
let answer: (res: ServerResponse, path: string) => void;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-audit-'));
  const root = { name: 'sample', version: '1.0.0', dependencies: { soft: '1.2.3' } };
  const soft = { version: '1.2.3', resolved: 'https://registry.example/soft-1.2.3.tgz' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(root));
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({
      name: root.name,
      version: root.version,
      lockfileVersion: 3,
      packages: { '': root, 'node_modules/soft': soft },
    }),
  );
  registry = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      asked.push({ path: req.url ?? '', body: body.toString() });
      answer(res, req.url ?? '');
    });
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const address = registry.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
  url = `http://127.0.0.1:${address.port}/`;
});
beforeEach(() => (asked = []));
afterAll(async () => {
  await new Promise((resolve) => registry.close(resolve));
  await rm(folder, { recursive: true });
});

const look = async () =>
  seriousOf(
    await audit(folder, {
      ...process.env,
      npm_config_registry: url,
      // npm caches its results for an advisory.
      npm_config_cache: await mkdtemp(join(folder, 'cache-')),
      npm_config_fetch_retries: '0',
    }),
  );
const json = (res: ServerResponse, body: unknown) =>
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const check = { name: 'dependencies', holds: 'all is well' };

it('finds the weaknesses that the registry knows of packages in the lock file', async () => {
  const weakness = (severity: string) => ({
    id: 1,
    url: 'https://registry.example/1',
    title: 'is soft',
    severity,
    vulnerable_versions: '<2.0.0',
    cwe: [],
    cvss: { score: 9, vectorString: null },
  });
  // npm requests the record of a weak package to name the weak versions.
  const version = (version: string) => ({ [version]: { name: 'soft', version } });
  const versions = { ...version('1.2.3'), ...version('2.0.0') };
  const record = { name: 'soft', 'dist-tags': { latest: '2.0.0' }, versions };
  let severity = 'critical';
  answer = (res, path) => json(res, path === ADVISORIES ? { soft: [weakness(severity)] } : record);
  const found = await look();
  expect(found).toEqual([{ where: 'soft 1.2.3', what: 'has a known critical weakness' }]);
  expect(JSON.parse(asked.find(({ path }) => path === ADVISORIES)?.body ?? '')).toEqual({ soft: ['1.2.3'] });
  expect(verdictOf([{ check, findings: found }], false)).toMatchObject({ passes: false });

  severity = 'low';
  expect(await look()).toEqual([]);
});

it('reports a registry without audits, and fails only with --strict', async () => {
  answer = (res) => res.writeHead(405, { allow: 'GET,HEAD' }).end();
  const findings = await look();
  expect(findings).toEqual([
    {
      where: 'npm audit',
      what: expect.stringMatching(/no report \(405 .*npm_config_registry=/s),
      undecided: true,
    },
  ]);
  expect(verdictOf([{ check, findings }], false)).toMatchObject({ passes: true });
  const strict = verdictOf([{ check, findings }], true);
  expect(strict).toMatchObject({ passes: false });
  expect(strict.text).toMatch(
    /^UNKNOWN {2}dependencies: all is well\n.*405.*\n0 guards did not hold; 1 of 1 checks could not be decided here, which --strict counts as a failure\n$/,
  );
});
