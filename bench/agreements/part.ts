/** One process of the run: a service on a database of its own. */
import { playMany, quickParts } from '@karaar/service-documents/test/agreement/agreement-driver';
import { startApi } from '@karaar/service-documents/test/api';

export type Part = { count: number; commands: number; effects: number; difference: string | null };

const [count, seed] = process.argv.slice(2).map(Number);
if (count === undefined || seed === undefined) throw new Error('How many sequences, and from which seed?');

const api = await startApi(`bench-agreements-${seed}`, { DATABASE_POOL: '20' }, await quickParts());
const users = [];
for (const name of ['Asha Rao', 'Vikram Shah', 'Meera Nair', 'Nila Iyer']) {
  users.push(await api.world.addUser(name));
}
const tell = (message: Part | number): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

let done = 0;
try {
  const onProgress = (now: number) => {
    done = now;
    if (now % 50 === 0) void tell(now);
  };
  const played = await playMany(api, users, { count, seed, atOnce: 6, onProgress });
  await tell({ count: done, ...played, difference: null });
} catch (error) {
  const text = error instanceof Error ? `${error.message}\n${String(error.cause)}` : String(error);
  await tell({ count: done, commands: 0, effects: 0, difference: text });
} finally {
  await api.stop();
  process.disconnect?.();
}
