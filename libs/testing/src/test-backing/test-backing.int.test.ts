import { processIdentity } from '../machine/liveness.mjs';
import { killHard, launcher } from '../processes/launcher.ts';
import { scratch } from '../scratch.ts';

const { dir, remove } = scratch();
afterAll(() => remove());

describe('sharedTestBacking', () => {
  it('gives processes that ask at the same moment the same services, and serves on when one is killed', async () => {
    const ask = `const { sharedTestBacking } = await src('test-backing/test-backing.ts'); told(await sharedTestBacking());`;
    const users = await Promise.all([1, 2, 3].map(() => launcher(dir, ask)));
    const [first, ...others] = users.map(({ told }) => told as { postgresUrl: string; isolated: number });
    expect(first).toMatchObject({
      postgresUrl: expect.stringMatching(/^postgresql:/) as string,
      isolated: 256,
    });
    for (const other of others) expect(other).toEqual(first);
    await killHard(users[0]!.process);
    const late = await launcher(dir, ask);
    expect(late.told).toEqual(first);
    await Promise.all([...users.slice(1), late].map((user) => killHard(user.process)));
    expect(processIdentity(late.process.pid ?? 0)).toBeUndefined();
  }, 180_000);
});
