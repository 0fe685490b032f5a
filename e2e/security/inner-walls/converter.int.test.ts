/** The check of the converter finds each missing wall. */
import { spawn } from 'node:child_process';
import { findingsOf, readsEnvironment, type Seen } from './converter.ts';

const walled: Seen = {
  isolation: 'processes_and_network',
  environment: { PATH: '/usr/bin', PORT: '1' },
  readable: [],
  programs: 1,
  interfaces: [],
};

it('finds nothing in a converter with all walls', () => {
  expect(findingsOf(walled)).toEqual([]);
});

it.each<[string, Partial<Seen>, string]>([
  ['a secret', { environment: { BLOB_KEK: 'x' } }, 'its environment has BLOB_KEK'],
  [
    'an account that it shares',
    { readable: ['documents'] },
    'its account reads the environment of documents',
  ],
  ['a network', { interfaces: ['eth0'] }, 'a program that reads files has the network eth0'],
])('finds %s', (_, change, what) => {
  expect(findingsOf({ ...walled, ...change })).toEqual([{ where: 'converter', what }]);
});

it('reports what it cannot decide', () => {
  const open = findingsOf({ ...walled, isolation: 'none', readable: undefined, programs: 0 });
  expect(open.map(({ undecided }) => undecided)).toEqual([true, true, true]);
});

it('reads the environment of a process of the same account, and of no other account', async () => {
  const account = process.getuid?.() ?? 0;
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    env: { A_SECRET: 'x' },
    stdio: 'ignore',
  });
  try {
    await new Promise((resolve) => child.once('spawn', resolve));
    expect(await readsEnvironment(account, child.pid ?? 0)).toBe(true);
    if (account === 0) expect(await readsEnvironment(10_002, child.pid ?? 0)).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});
