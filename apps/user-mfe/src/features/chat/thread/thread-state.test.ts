import type { Message } from '@karaar/contracts/messaging/http';
import fc from 'fast-check';
import { message, run } from './test-messages.ts';
import { EMPTY, hasOlder, lastSeq, mark, merge, newestUnread } from './thread-state.ts';

const places = (messages: readonly Message[]) => messages.map(({ seq }) => seq);

it('never has a gap, a duplicate or a wrong order, whatever pages arrive in whatever order', () => {
  const page = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(fc.array(page, { maxLength: 30 }), (pages) => {
      let state = EMPTY;
      let newest = 0;
      for (const [from, length] of pages) {
        state = merge(state, run(from, from + length));
        newest = Math.max(newest, from + length);
        const seqs = places(state.messages);
        expect(seqs).toEqual(places(run(seqs[0] ?? 1, seqs.at(-1) ?? 0)));
        // The newest message is never lost.
        expect(lastSeq(state)).toBe(newest);
      }
    }),
  );
});

it('keeps marks that were set, even if an older response arrives later', () => {
  const read = merge(EMPTY, [message(1, { is_read: true, is_delivered: true })]);
  expect(merge(read, [message(1)]).messages[0]).toMatchObject({ is_read: true, is_delivered: true });
});

it('keeps the message object if a response brings no change', () => {
  const state = merge(EMPTY, run(1, 5));
  const again = merge(state, run(3, 6));
  for (const at of [0, 1, 2, 3, 4]) expect(again.messages[at]).toBe(state.messages[at]);
  const relinked = { name: 'a.png', mime: 'image/png', size: 1, path: '/b' };
  expect(merge(state, [message(2, { attachment: relinked })]).messages[1]?.attachment).toEqual(relinked);
});

it('marks one sender’s messages up to a position, and is the same object if nothing changes', () => {
  const state = merge(EMPTY, run(1, 6));
  const marked = mark(state, 'asha', 3, { is_delivered: true, is_read: true });
  expect(places(marked.messages.filter((each) => each.is_read))).toEqual([1, 3]);
  expect(mark(marked, 'asha', 3, { is_read: true })).toBe(marked);
});

it('knows unread messages, and whether there are older ones', () => {
  const state = merge(EMPTY, run(4, 8));
  expect(newestUnread(state, 'vikram')?.seq).toBe(7);
  expect(newestUnread(mark(state, 'asha', 7, { is_read: true }), 'vikram')).toBeNull();
  expect([hasOlder(state), hasOlder(merge(state, run(1, 3))), hasOlder(EMPTY)]).toEqual([true, false, false]);
});
