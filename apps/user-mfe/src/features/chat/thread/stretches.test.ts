import type { Message } from '@karaar/contracts/messaging/http';
import fc from 'fast-check';
import { STRETCH, stretchesOf } from './stretches.ts';
import { message, run } from './test-messages.ts';

const flat = (messages: readonly Message[]) => stretchesOf(messages).flatMap((stretch) => stretch.messages);

it('omits, duplicates and moves nothing, and is short', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 300 }), (from, length) => {
      const messages = run(from, from + length - 1);
      expect(flat(messages)).toEqual(messages);
      for (const stretch of stretchesOf(messages))
        expect(stretch.messages.length).toBeLessThanOrEqual(STRETCH);
    }),
  );
});

it('keeps unchanged ranges identical: older messages above and a new one below change only their own range', () => {
  const messages = run(51, 125);
  const before = stretchesOf(messages);
  const older = stretchesOf([...run(26, 50), ...messages], before);
  // The first range now has a message before it.
  expect(older.slice(2)).toEqual(before.slice(1));
  for (const at of [1, 2]) expect(older[at + 1]).toBe(before[at]);
  const newer = stretchesOf([...messages, message(126)], before);
  for (const at of [0, 1, 2]) expect(newer[at]).toBe(before[at]);
  expect(newer[3]?.messages.map(({ seq }) => seq)).toEqual([126]);
});
