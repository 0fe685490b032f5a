/**
 * Approvals signed by a passkey: the server creates the statement, gives it out once, and stores it with the
 * signature.
 */
import { randomBytes } from 'node:crypto';
import type { SignedAnswer } from '@karaar/contracts/documents/signing-keys';
import { readSignedStatement, signedStatement } from '@karaar/proof/approval/approval';
import { keyHash } from '@karaar/proof/approval/key-entry';
import type { Context } from '../../context.ts';
import { getInvolvedDocument } from '../agreements/agreements.service.ts';
import type { SignedBy } from '../agreements/approvals/approvals.service.ts';
import { requireCaller } from '../directory/directory.service.ts';
import { insertSignature } from './approval-signatures.repository.ts';
import { optionsToSign, readSigned } from './ceremonies.ts';
import { enrolments } from './key-entries.repository.ts';
import { keyNotFound, keyNotLogged, notSigned } from './signing-keys.errors.ts';
import { findKey, keepStatement, moveCounter, takeStatement } from './signing-keys.repository.ts';
import { contentOf } from '../agreements/approvals/shown.ts';

/**
 * Creates the statement for the caller's approval.
 *
 * @throws 403 if the caller is not a party, 404 for an unknown document or key, 409 until the log has the key
 */
export async function stateForSigning(ctx: Context, userId: string, documentId: string, keyId: string) {
  const person = await requireCaller(ctx, userId);
  const { document, parties, rawFiles } = await getInvolvedDocument(ctx, userId, documentId);
  const key = await findKey(ctx.db, userId, keyId);
  if (!key) throw keyNotFound();
  const enrolled = (await enrolments(ctx.db, [key.id])).get(key.id);
  if (!enrolled || enrolled.index === null) throw keyNotLogged();
  const own = parties.find((party) => party.user_id === userId);
  const statement = signedStatement({
    ...contentOf(document, rawFiles),
    role: own?.state === 'primary' ? 'primary' : 'party',
    person: { user_id: userId, char_id: person.char_id, name: person.name },
    approved_at: new Date().toISOString(),
    nonce: randomBytes(24).toString('base64url'),
    key: { sha256: keyHash(new Uint8Array(key.public_key)) },
  });
  const id = await keepStatement(ctx.db, { userId, documentId: document.id, keyId: key.id, statement });
  return { statement_id: id, statement, use: optionsToSign(ctx.config, [key], statement) };
}

/**
 * Uses up the statement, even if the signature is invalid.
 *
 * @throws 422 for a statement that is not open or not signed by this key
 */
export async function takeSignature(
  ctx: Context,
  userId: string,
  documentId: string,
  { statement_id: id, used }: SignedAnswer,
): Promise<SignedBy> {
  const open = await takeStatement(ctx.db, { userId, documentId, id });
  const key = open && (await findKey(ctx.db, userId, open.key_id));
  const enrolled = key && (await enrolments(ctx.db, [key.id])).get(key.id);
  if (!key || !enrolled || enrolled.index === null) throw notSigned();
  const { at, index } = enrolled;
  const { statement } = open;
  const now = await readSigned(ctx.config, statement, used, key);
  if (!now) throw notSigned();
  const { clientDataJSON, authenticatorData, signature } = used.response;
  return {
    userId,
    statement,
    stated: readSignedStatement(statement),
    save: async (tx, approvalId) => {
      // The key signed something else meanwhile, or was removed.
      if (!(await moveCounter(tx, key, now.counter, now.synced))) throw notSigned();
      await insertSignature(tx, {
        approval_id: approvalId,
        key_id: key.id,
        public_key: key.public_key,
        client_data: Buffer.from(clientDataJSON, 'base64url'),
        authenticator_data: Buffer.from(authenticatorData, 'base64url'),
        signature: Buffer.from(signature, 'base64url'),
        enrolled_at: at,
        enrolled_index: index,
      });
    },
  };
}
