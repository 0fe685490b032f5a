import type { Message } from '@karaar/contracts/messaging/http';
import fc from 'fast-check';
import { EMPTY, hasOlder, lastSeq, mark, merge, newestUnread } from './thread-state.ts';

const message = (seq: number, more: Partial<Message> = {}): Message => ({
  _id: `m${seq}`,
  sender_id: seq % 2 ? 'asha' : 'vikram',
  receiver_id: seq % 2 ? 'vikram' : 'asha',
  content: String(seq),
  created_at: '2026-11-21T05:00:00.000Z',
  is_read: false,
  is_delivered: false,
  seq,
  ...more,
});
const run = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => message(from + at));
const places = (messages: readonly Message[]) => messages.map(({ seq }) => seq);

it('never has a gap, a double or a wrong order, whatever pages come in which order', () => {
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
        // What is new is never left out.
        expect(lastSeq(state)).toBe(newest);
      }
    }),
  );
});

it('keeps marks that were set, whichever answer comes late', () => {
  const read = merge(EMPTY, [message(1, { is_read: true, is_delivered: true })]);
  expect(merge(read, [message(1)]).messages[0]).toMatchObject({ is_read: true, is_delivered: true });
});

it('marks what one side wrote up to a place, and is the same when nothing changes', () => {
  const state = merge(EMPTY, run(1, 6));
  const marked = mark(state, 'asha', 3, { is_delivered: true, is_read: true });
  expect(places(marked.messages.filter((each) => each.is_read))).toEqual([1, 3]);
  expect(mark(marked, 'asha', 3, { is_read: true })).toBe(marked);
});

it('knows what is unread and whether there is more', () => {
  const state = merge(EMPTY, run(4, 8));
  expect(newestUnread(state, 'vikram')?.seq).toBe(7);
  expect(newestUnread(mark(state, 'asha', 7, { is_read: true }), 'vikram')).toBeNull();
  expect([hasOlder(state), hasOlder(merge(state, run(1, 3))), hasOlder(EMPTY)]).toEqual([true, false, false]);
});
