import { AccountSheet } from '@karaar/contracts/documents/print';
import { internalRoutes } from '@karaar/contracts/internal';
import { invalid } from '@karaar/base/errors';
import type { HttpApp } from '@karaar/http';
import { Value } from 'typebox/value';
import type { Context } from '../../context.ts';

/** Enough for 2,000 rows with quotes and commas. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * `POST /internal/account-sheet` prints a statement or a receipt for payments or wallet. Internal port, with
 * their credentials.
 */
export function accountSheetsRoutes(inner: HttpApp, ctx: Context): void {
  const { path, callers } = internalRoutes.printAccountSheet;
  inner.post(path, { bodyLimit: MAX_BYTES, config: { callers } }, async (request, reply) => {
    if (!Value.Check(AccountSheet, request.body))
      throw invalid([{ loc: 'body', msg: 'is not an account sheet' }]);
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort(new Error('The caller is gone')));
    const pdf = await ctx.renderer.printAccount(request.body, { signal: disconnected.signal });
    return reply.type('application/pdf').send(Buffer.from(pdf));
  });
}
