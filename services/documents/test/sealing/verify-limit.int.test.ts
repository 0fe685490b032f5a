import { jest } from '@jest/globals';
import { sql } from 'kysely';
import { createVerifyLimit } from '../../src/features/public-verification/verify-limit.ts';
import { startApi, textPdf, type Api } from '../api.ts';

jest.setTimeout(60_000);

let api: Api;
beforeAll(async () => {
  api = await startApi(
    'documents-verify-limit',
    {},
    { verifyLimit: createVerifyLimit({ atOnce: 2, waitMs: 400 }) },
  );
}, 120_000);
afterAll(() => api.stop());

it('reads two files at a time, and responds 503 verify_busy with Retry-After after a too long wait', async () => {
  const pdf = new Blob([new Uint8Array(await textPdf('Not sealed'))], { type: 'application/pdf' });
  const verify = () => {
    const form = new FormData();
    form.append('file', pdf, 'some.pdf');
    return fetch(`${api.url}/verify`, { method: 'POST', body: form });
  };
  const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status).sort();

  // Every verification reads this table, so the lock keeps the running ones busy.
  const first = await api.service.foundation.db.transaction().execute(async (tx) => {
    await sql`LOCK TABLE log_commitments IN ACCESS EXCLUSIVE MODE`.execute(tx);
    const asked = [verify(), verify(), verify(), verify()];
    const refused: Response[] = [];
    await new Promise<void>((resolve) => {
      for (const one of asked)
        void one.then((answer) => {
          if (answer.status === 503 && refused.push(answer) === 2) resolve();
        });
    });
    for (const answer of refused) {
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await answer.json()).toEqual({
        code: 'verify_busy',
        detail: 'Too many files are being checked right now. Please try again in a moment.',
      });
    }
    return asked;
  });
  expect(statuses(await Promise.all(first))).toEqual([200, 200, 503, 503]);

  // All places are free again, also those of callers who gave up.
  expect(statuses(await Promise.all([verify(), verify(), verify(), verify()]))).toEqual([200, 200, 200, 200]);
});
