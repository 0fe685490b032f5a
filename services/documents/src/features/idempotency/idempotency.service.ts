/**
 * One effect per Idempotency-Key: the answer is stored in the transaction of the effect, a repeated request
 * gets it again, and a different request with the same key is refused.
 */
import { createHash } from 'node:crypto';
import type { Tx } from '@karaar/db';
import { conflict } from '@karaar/base/errors';
import type { SpooledFile } from '@karaar/http';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { findAnswer, insertAnswer } from './idempotency.repository.ts';

const sameKeyOtherRequest = () =>
  conflict(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new one for a new request.',
  );

/** The identity of a request: its operation, its fields, and its files by their content. */
export type IdempotentRequest = {
  operation: string;
  fields: Readonly<Record<string, unknown>>;
  files: Readonly<Record<string, readonly SpooledFile[]>>;
};

/** Stores the answer; call it in the transaction of the effect. */
export type Remember<T> = (tx: Tx<Database>, answer: T) => Promise<void>;

/**
 * Runs `work` once per key of the caller; without a key, it runs every time. If two requests arrive at once,
 * one takes effect and both get its answer. Throws 409 if the key was used for a different request.
 */
export async function oncePerKey<T>(
  ctx: Pick<Context, 'db'>,
  caller: Caller,
  request: IdempotentRequest,
  work: (remember: Remember<T>) => Promise<T>,
): Promise<T> {
  const { userId, idempotencyKey: key } = caller;
  if (key === undefined) return work(async () => undefined);
  const sha256 = digestOf(request);
  const repeated = async (): Promise<{ answer: T } | undefined> => {
    const row = await findAnswer(ctx.db, userId, key);
    if (row && row.request_sha256 !== sha256) throw sameKeyOtherRequest();
    // The digest contains the operation, so this operation stored the answer.
    return row && { answer: row.answer as T };
  };
  const earlier = await repeated();
  if (earlier) return earlier.answer;
  try {
    return await work((tx, answer) => insertAnswer(tx, { userId, key, sha256, answer }));
  } catch (error) {
    // A concurrent request with the same key may have taken effect and made this one fail.
    const meanwhile = await repeated();
    if (meanwhile) return meanwhile.answer;
    throw error;
  }
}

function digestOf({ operation, fields, files }: IdempotentRequest): string {
  const sorted = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const contents = Object.fromEntries(
    Object.entries(files).map(([field, list]) => [field, list.map((file) => [file.filename, file.sha256])]),
  );
  return createHash('sha256')
    .update(JSON.stringify([operation, sorted(fields), sorted(contents)]))
    .digest('hex');
}
