/** Packs the monitor by npm, installs it without a network and runs it. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { toBase64, toHex } from '@karaar/proof/bytes';
import { documentProof } from '@karaar/proof/document-proof';
import { leafData } from '@karaar/proof/log/leaf';
import { leafHash } from '@karaar/proof/log/merkle';
import { writePolicy } from '@karaar/proof/log/policy';
import { parties } from '@karaar/proof/testing/small-tlog';
import { writePackage } from '../scripts/package.ts';

jest.setTimeout(180_000);

const execute = promisify(execFile);
const { log, witnesses, checkpoint } = parties('log.test/package', ['w1.test', 'w2.test', 'w3.test']);
let folder: string;

async function monitor(...args: string[]): Promise<{ code: number; out: string }> {
  const command = join(folder, 'installed/node_modules/.bin/karaar-monitor');
  try {
    const { stdout } = await execute(command, args, { cwd: folder });
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, out: stdout };
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-package-'));
  await writePackage(join(folder, 'package'));
  await execute('npm', ['pack', './package', '--silent'], { cwd: folder });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await mkdir(join(folder, 'installed'));
  await writeFile(join(folder, 'installed/package.json'), '{"private":true}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `../${tarball}`];
  await execute('npm', install, { cwd: join(folder, 'installed') });
});
afterAll(() => rm(folder, { recursive: true }));

it('contains the command, its README and the notices of bundled packages, and no dependencies', async () => {
  const installed = join(folder, 'installed/node_modules');
  expect((await readdir(installed)).filter((name) => !name.startsWith('.'))).toEqual(['karaar-monitor']);
  expect((await readdir(join(installed, 'karaar-monitor'))).toSorted()).toEqual([
    'README.md',
    'karaar-monitor.js',
    'package.json',
  ]);
  const code = await readFile(join(installed, 'karaar-monitor/karaar-monitor.js'), 'utf8');
  expect(code).toMatch(/MIT License \(c\) \d{4} Paul Miller/);
});

it('verifies the proof of a document, with both kinds of cosignatures', async () => {
  const document = Buffer.from('%PDF-1.7 sealed');
  const sha256 = toHex(new Uint8Array(createHash('sha256').update(document).digest()));
  const fact = { code: '7K3M9QXA', sha256, sealedAt: '2026-11-21T06:00:00.000Z' };
  const salt = new Uint8Array(32).fill(3);
  const [w1, w2] = witnesses;
  const cosigners = [w1?.ed25519, w2?.mlDsa].flatMap((one) => (one ? [one] : []));
  const proof = documentProof({
    document_code: fact.code,
    sha256,
    sealed_at: fact.sealedAt,
    salt: toBase64(salt),
    leaf_index: 0,
    tree_size: 1,
    inclusion: [],
    checkpoint: checkpoint(cosigners, leafHash(leafData(salt, fact))),
  });
  const keys = witnesses.map(({ ed25519, mlDsa }) => ({ keys: [ed25519.key, mlDsa.key] }));
  await writeFile(join(folder, 'policy.txt'), writePolicy({ log, witnesses: keys, quorum: 2 }));
  await writeFile(join(folder, 'agreement.pdf'), document);
  await writeFile(join(folder, 'proof.tlog-proof'), proof);
  const verify = (file: string) => monitor('verify', '--policy', 'policy.txt', file, 'proof.tlog-proof');
  const { code, out } = await verify('agreement.pdf');
  expect({ code, found: JSON.parse(out) as unknown }).toMatchObject({
    code: 0,
    found: {
      ok: true,
      code: '7K3M9QXA',
      cosigned: [{ name: 'w1.test:ed25519' }, { name: 'w2.test:ml-dsa-44' }],
    },
  });
  await writeFile(join(folder, 'other.pdf'), Buffer.concat([document, Buffer.from(' ')]));
  expect((await verify('other.pdf')).code).toBe(1);
  expect((await monitor('verify', '--policy', 'policy.txt', 'agreement.pdf', 'missing')).code).toBe(1);
});

it('prints its usage', async () => {
  expect((await monitor('--help')).out).toContain('karaar-monitor follow');
});
