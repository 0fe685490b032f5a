import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf } from '@karaar/proof/bytes';
import { keyEntry, keyHash, userTag } from '@karaar/proof/approval/key-entry';
import { parties } from '@karaar/proof/testing/small-tlog';
import { parsePolicy, writePolicy } from '@karaar/proof/log/policy';
import type { Alert } from '../src/alerts.ts';
import { run } from '../src/cli.ts';
import { History, startLogServer, type LogServer } from './split-log.ts';

const { log, witnesses, checkpoint } = parties('log.test/follow', ['w1.test', 'w2.test', 'w3.test']);
const [w1, w2, w3] = witnesses as [Witness, Witness, Witness];
type Witness = (typeof witnesses)[number];

let folder: string;
let logServer: LogServer;
let history: History;

async function publish(cosigners = [w1.ed25519, w2.mlDsa]): Promise<void> {
  history.checkpoint = checkpoint(cosigners, await history.root(), history.size);
}
async function call(...args: string[]) {
  const lines: string[] = [];
  const code = await run(args, { out: (line) => lines.push(line), err: (line) => lines.push(line) });
  return { code, lines };
}
async function look(...more: string[]) {
  const files = ['--policy', join(folder, 'policy.txt'), '--state', join(folder, 'state.json')];
  const { code, lines } = await call('follow', '--once', ...files, '--log', logServer.url, ...more);
  return { code, kinds: lines.map((line) => (JSON.parse(line) as Alert).kind), lines };
}
const state = async () => JSON.parse(await readFile(join(folder, 'state.json'), 'utf8')) as { size: number };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-monitor-'));
  history = new History();
  logServer = await startLogServer(history);
  const keys = witnesses.map(({ ed25519, mlDsa }) => ({ keys: [ed25519.key, mlDsa.key] }));
  await writeFile(join(folder, 'policy.txt'), writePolicy({ log, witnesses: keys, quorum: 2 }));
  // More than one tile, so that the tree has levels.
  await history.append(Array.from({ length: 600 }, (_, i) => `entry ${i}`));
  await publish();
  expect(await look()).toEqual({ code: 0, kinds: [], lines: [] });
});
afterEach(async () => {
  logServer.close();
  await rm(folder, { recursive: true });
});

it('follows a log as it grows', async () => {
  for (const count of [1, 3, 300]) {
    await history.append(Array.from({ length: count }, (_, i) => `more ${i}`));
    await publish();
    expect(await look()).toMatchObject({ code: 0 });
    expect((await state()).size).toBe(history.size);
  }
  expect((await readdir(folder)).toSorted()).toEqual(['policy.txt', 'state.json']);
});

describe('finds', () => {
  it('a new entry that differs from the tree', async () => {
    await history.append(['new']);
    await publish();
    history.entries[600] = Buffer.from('another');
    expect(await look()).toMatchObject({ code: 2, kinds: ['rewritten'] });
    expect((await state()).size).toBe(600);
  });

  it('an entry and its hash that differ from the root', async () => {
    const forged = new History();
    await forged.append([...Array.from({ length: 600 }, (_, i) => `entry ${i}`), 'another']);
    await history.append(['new']);
    await publish();
    history.entries[600] = Buffer.from('another');
    history.tiles.set('0/2', forged.tiles.get('0/2') ?? []);
    expect(await look()).toMatchObject({ code: 2, kinds: ['rewritten'] });
  });

  it('an old entry that was rewritten, when it reads everything again', async () => {
    history.entries[7] = Buffer.from('another');
    await history.append(['new']);
    await publish();
    expect(await look()).toMatchObject({ code: 0 });
    await history.append(['newer']);
    await publish();
    const { code, kinds, lines } = await look('--audit-every', '0');
    expect({ code, kinds }).toEqual({ code: 2, kinds: ['rewritten'] });
    expect(lines.join()).toContain('entry 7 ');
  });

  it('a completely rewritten history, with or without witnesses', async () => {
    history = logServer.history = new History();
    await history.append(Array.from({ length: 700 }, (_, i) => (i === 3 ? 'another' : `entry ${i}`)));
    for (const cosigners of [[w1.ed25519, w2.ed25519], []]) {
      await publish(cosigners);
      expect(await look()).toMatchObject({ code: 2, kinds: ['split-view'] });
    }
    expect((await state()).size).toBe(600);
  });

  it('withheld entries', async () => {
    await history.append(['new']);
    await publish();
    history.size = 600;
    expect(await look()).toMatchObject({ code: 2, kinds: ['withheld'] });
  });

  it('a checkpoint by another key', async () => {
    const other = parties('log.test/follow', []);
    history.checkpoint = other.checkpoint([w1.ed25519, w2.ed25519], await history.root(), history.size);
    expect(await look()).toMatchObject({ code: 2, kinds: ['other-key'] });
  });

  it('a checkpoint without a quorum, an older one, and an unreachable log', async () => {
    const before = history.checkpoint;
    await history.append(['new']);
    await publish([w1.ed25519, w1.mlDsa]);
    expect(await look()).toMatchObject({ code: 4, kinds: ['unconfirmed'] });
    await publish();
    expect(await look()).toMatchObject({ code: 0 });
    history.checkpoint = before;
    expect(await look()).toMatchObject({ code: 4, kinds: ['behind'] });
    history.checkpoint = '';
    expect(await look()).toMatchObject({ code: 4, kinds: ['unreachable'] });
    history.checkpoint = 'not a checkpoint\n';
    expect(await look()).toMatchObject({ code: 4, kinds: ['unreachable'] });
  });

  it('a key of interest, by its user or by its hash, and no other key', async () => {
    const [user, other] = [randomUUID(), randomUUID()];
    const change = (userId: string, key: string) =>
      textOf(
        keyEntry({
          action: 'added',
          userId,
          keySha256: keyHash(Buffer.from(key)),
          at: '2026-11-21T06:00:00.000Z',
        }),
      );
    await history.append([change(user, 'one'), change(other, 'two'), change(other, 'three')]);
    await publish();
    const { code, kinds, lines } = await look('--user', user, '--key', keyHash(Buffer.from('three')));
    expect({ code, kinds }).toEqual({ code: 3, kinds: ['key-of-interest', 'key-of-interest'] });
    expect(lines[0]).toContain(userTag(user));
    expect(lines[1]).toContain('entry 602');
    // Each change is reported once.
    expect(await look('--user', user)).toMatchObject({ code: 0 });
  });

  it('a view of another log, an invalid view and a missing one', async () => {
    const file = join(folder, 'view.txt');
    await writeFile(file, parties('log.test/else', []).checkpoint([]));
    expect(await look('--view', file)).toMatchObject({ code: 4, kinds: ['foreign-view'] });
    await writeFile(file, 'text');
    expect(await look('--view', file)).toMatchObject({ code: 4, kinds: ['foreign-view'] });
    expect(await look('--view', join(folder, 'missing'))).toMatchObject({ code: 4, kinds: ['unreachable'] });
  });
});

it('refuses the state of another log and an unreadable one', async () => {
  const path = join(folder, 'state.json');
  const kept = await readFile(path, 'utf8');
  await writeFile(path, kept.slice(0, 20));
  expect(
    (
      await call(
        'follow',
        '--once',
        '--policy',
        join(folder, 'policy.txt'),
        '--state',
        path,
        '--log',
        logServer.url,
      )
    ).code,
  ).toBe(1);
  const other = parties('log.test/else', []).log;
  await writeFile(path, kept);
  await writeFile(join(folder, 'policy.txt'), writePolicy({ log: other, witnesses: [], quorum: 0 }));
  const { code, lines } = await call(
    'follow',
    '--once',
    '--policy',
    join(folder, 'policy.txt'),
    '--state',
    path,
    '--log',
    logServer.url,
  );
  expect({ code, said: lines.join() }).toEqual({
    code: 1,
    said: expect.stringContaining('another log') as string,
  });
});

it('one kind of signature does not satisfy a policy that requires both', async () => {
  const path = join(folder, 'policy.txt');
  const strict = (await readFile(path, 'utf8')).replaceAll(' any ', ' all ');
  expect(parsePolicy(strict).groups.get('w1.test')?.threshold).toBe(2);
  await writeFile(path, strict);
  expect(await look()).toMatchObject({ code: 4, kinds: ['unconfirmed'] });
  await publish([w1.ed25519, w1.mlDsa, w3.ed25519, w3.mlDsa]);
  expect(await look()).toMatchObject({ code: 0 });
});

it.each([
  [[]],
  [['watch']],
  [['follow']],
  [['follow', '--policy', 'none', '--state', 'none', '--more']],
  [['verify', '--policy', 'none', 'one']],
])('%j prints the usage and fails', async (args) => {
  const { code, lines } = await call(...args);
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain('karaar-monitor follow');
});

it('prints its usage', async () => {
  expect(await call('--help')).toMatchObject({ code: 0 });
});
