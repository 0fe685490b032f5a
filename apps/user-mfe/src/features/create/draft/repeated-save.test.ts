import { ApiError } from '@karaar/api-client';
import { repeatedSave } from './repeated-save.ts';

/** A service that makes one draft per key; `answers` are the errors of its next answers, after their effect. */
function service() {
  const drafts = new Map<string, string>();
  const answers: { create: (Error | undefined)[]; read: (Error | undefined)[] } = { create: [], read: [] };
  const { save, unanswered } = repeatedSave<string, string, string>({
    send: async (content, key) => {
      const [error] = answers.create.splice(0, 1);
      if (error instanceof ApiError && error.status === 400) throw error;
      if ((drafts.get(key) ?? content) !== content)
        throw new ApiError(409, { code: 'idempotency_key_reused' });
      drafts.set(key, content);
      if (error) throw error;
      return key;
    },
    read: async (id) => {
      const [error] = answers.read.splice(0, 1);
      if (error) throw error;
      return drafts.get(id) ?? '';
    },
  });
  return { drafts, answers, save, unanswered };
}

it.each([
  ['the answer is lost', 'create', new ApiError(0, null)],
  ['the service fails after the effect', 'create', new ApiError(503, null)],
  ['the new draft cannot be read', 'read', new ApiError(503, null)],
  ['it cannot be read for a moment', 'read', new ApiError(404, null)],
] as const)('makes one draft although %s and the user types on', async (_, step, error) => {
  const { drafts, answers, save } = service();
  answers[step].push(error, error);
  await expect(save('Rent')).rejects.toBe(error);
  await expect(save('Rent agreement')).rejects.toBe(error);
  expect(await save('Rent agreement 2026')).toEqual({ draft: 'Rent', content: 'Rent' });
  expect([...drafts.values()]).toEqual(['Rent']);
});

it('sends what was typed since after a refusal', async () => {
  const { drafts, answers, save } = service();
  answers.create.push(new ApiError(400, null));
  await expect(save('Rent'.repeat(100))).rejects.toThrow('400');
  expect(await save('Rent')).toEqual({ draft: 'Rent', content: 'Rent' });
  expect(drafts.size).toBe(1);
});

it('saves again with what was typed meanwhile, once the first save is answered', async () => {
  const { drafts, answers, save } = service();
  answers.create.push(new ApiError(0, null));
  await expect(save('Rent')).rejects.toThrow();
  expect(await save('Rent 2026')).toEqual({ draft: 'Rent', content: 'Rent' });
  expect(await save('Rent 2026')).toEqual({ draft: 'Rent 2026', content: 'Rent 2026' });
  expect(drafts.size).toBe(2);
});

it.each([
  ['its answer is lost', 'create', new ApiError(0, null)],
  ['it cannot be read', 'read', new ApiError(503, null)],
] as const)('finds the draft of an unanswered save although %s', async (_, step, error) => {
  const { drafts, answers, save, unanswered } = service();
  expect(await unanswered()).toBeUndefined();
  answers[step].push(error);
  await expect(save('Rent')).rejects.toBe(error);
  expect([await unanswered()]).toEqual([...drafts.keys()]);
  await save('Rent');
  expect(await unanswered()).toBeUndefined();
});
