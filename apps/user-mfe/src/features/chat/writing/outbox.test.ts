import { jest } from '@jest/globals';
import { createOutbox, type OutboxParts, type Unsent, type UnsentStore } from './outbox.ts';

const memory = (): UnsentStore & { kept: Map<string, Unsent> } => {
  const kept = new Map<string, Unsent>();
  return {
    kept,
    all: async () => [...kept.values()],
    put: async (message) => void kept.set(message.id, message),
    remove: async (id) => void kept.delete(id),
  };
};
const draft = (id: string, more: Partial<Unsent> = {}) => ({
  id,
  userId: 'asha',
  to: 'vikram',
  content: id,
  at: `2026-11-21T05:00:0${id}.000Z`,
  ...more,
});
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

type Send = (message: Unsent) => Promise<string>;

function outboxOf(send: Send, more: Partial<OutboxParts<string>> = {}) {
  const store = memory();
  const sent: string[] = [];
  const failed: string[] = [];
  const outbox = createOutbox<string>({
    store,
    send,
    mayPass: (error) => (error as Error).message === 'offline',
    onSent: (message) => void sent.push(message.id),
    onFailed: (message) => void failed.push(message.id),
    pause: () => Promise.resolve(),
    report: (error) => {
      throw error;
    },
    ...more,
  });
  return { outbox, store, sent, failed };
}

it('sends in the order of writing, retries while offline, and forgets sent messages', async () => {
  let tries = 0;
  const arrived: string[] = [];
  const { outbox, store, sent } = outboxOf(async ({ id }) => {
    tries += 1;
    if (tries < 4) throw new Error('offline');
    arrived.push(id);
    return id;
  });
  for (const id of ['1', '2', '3']) outbox.add(draft(id));
  expect(outbox.to('vikram').map(({ id, state }) => [id, state])).toEqual([
    ['1', 'sending'],
    ['2', 'sending'],
    ['3', 'sending'],
  ]);
  await settled();
  expect(arrived).toEqual(['1', '2', '3']);
  expect(sent).toEqual(arrived);
  expect(outbox.to('vikram')).toEqual([]);
  expect(store.kept.size).toBe(0);
});

it('keeps a refused message with its state, and continues with the next; it can be retried or discarded', async () => {
  const refused = new Set(['1', '2']);
  const { outbox, store, sent, failed } = outboxOf(async ({ id }) => {
    if (refused.has(id)) throw new Error('blocked');
    return id;
  });
  for (const id of ['1', '2', '3']) outbox.add(draft(id));
  await settled();
  expect([failed, sent]).toEqual([['1', '2'], ['3']]);
  expect(store.kept.get('1')?.state).toBe('failed');
  refused.clear();
  outbox.retry('1');
  outbox.discard('2');
  await settled();
  expect(sent).toEqual(['3', '1']);
  expect([outbox.to('vikram'), store.kept.size]).toEqual([[], 0]);
});

it('resumes the messages of an earlier page, in order, and discards those of another user', async () => {
  const { outbox, store, sent } = outboxOf(async ({ id }) => id);
  await store.put({ ...draft('2'), state: 'sending' });
  await store.put({ ...draft('1'), state: 'sending' });
  await store.put({ ...draft('3'), state: 'failed' });
  await store.put({ ...draft('9', { userId: 'meera' }), state: 'sending' });
  await outbox.resume('asha');
  await outbox.resume('asha');
  await settled();
  expect(sent).toEqual(['1', '2']);
  expect(outbox.to('vikram').map(({ id }) => id)).toEqual(['3']);
  expect([...store.kept.keys()]).toEqual(['3']);
});

it('sends even if the browser stores nothing', async () => {
  const report = jest.fn();
  const store = { ...memory(), put: () => Promise.reject(new Error('full')) };
  const { outbox, sent } = outboxOf(async ({ id }) => id, { store, report });
  outbox.add(draft('1'));
  await settled();
  expect(sent).toEqual(['1']);
  expect(report).toHaveBeenCalled();
});
