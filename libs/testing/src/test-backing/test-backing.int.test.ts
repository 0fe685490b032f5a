import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from '../machine/liveness.mjs';
import { killHard, launcher } from '../processes/launcher.ts';
import { scratch } from '../scratch.ts';
import { IMAGES, testBackingKind } from './test-backing.ts';

const { dir, remove } = scratch();
afterAll(() => remove());

describe('sharedTestBacking', () => {
  it('gives concurrent processes the same services, and keeps them running when one is killed', async () => {
    const ask = `const { sharedTestBacking } = await src('test-backing/test-backing.ts'); report(await sharedTestBacking());`;
    const users = await Promise.all([1, 2, 3].map(() => launcher(dir, ask)));
    const [first, ...others] = users.map(
      ({ reported }) => reported as { postgresUrl: string; isolated: number },
    );
    expect(first).toMatchObject({
      postgresUrl: expect.stringMatching(/^postgresql:/) as string,
      isolated: 256,
    });
    for (const other of others) expect(other).toEqual(first);
    await killHard(users[0]!.process);
    const late = await launcher(dir, ask);
    expect(late.reported).toEqual(first);
    await Promise.all([...users.slice(1), late].map((user) => killHard(user.process)));
    expect(processIdentity(late.process.pid ?? 0)).toBeUndefined();
  }, 180_000);
});

describe('testBackingKind', () => {
  it('is embedded if all three servers are installed, else containers', () => {
    for (const [name, kind] of [
      ['redis-server', 'containers'],
      ['nats-server', 'embedded'],
    ] as const) {
      writeFileSync(join(dir, name), '');
      chmodSync(join(dir, name), 0o755);
      expect(testBackingKind({}, dir)).toBe(kind);
    }
  });

  it('is the kind that TEST_BACKING names', () => {
    for (const kind of ['embedded', 'containers']) expect(testBackingKind({ TEST_BACKING: kind })).toBe(kind);
    expect(() => testBackingKind({ TEST_BACKING: 'docker' })).toThrow(
      'TEST_BACKING is "docker"; it can be embedded or containers',
    );
  });
});

it('containers have the images of compose.yaml, by exact version', () => {
  const compose = readFileSync(new URL('../../../../infra/docker/compose.yaml', import.meta.url), 'utf8');
  for (const image of Object.values(IMAGES)) {
    expect(image).toMatch(/:\d+\.\d+/);
    expect(compose).toContain(`image: ${image}\n`);
  }
});
