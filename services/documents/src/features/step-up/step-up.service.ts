/**
 * Confirms an act with a passkey: the server creates a statement, the passkey signs it once, and the server
 * grants the act (docs/adr/0085).
 */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { PasskeyAssertion } from '@karaar/contracts/auth/passkeys-http';
import type { StepUpStated } from '@karaar/contracts/documents/step-up';
import type { StepUpAct, StepUpStanding } from '@karaar/contracts/step-up';
import { stepUpStatement } from '@karaar/contracts/step-up-statement';
import { inTransaction } from '@karaar/db';
import { signGrant, stepUpWaiting } from '@karaar/service/step-up';
import type { Context, GrantKey } from '../../context.ts';
import { optionsToSign, readSigned } from '../signing-keys/ceremonies.ts';
import { keysOf, moveCounter, type SigningKeyRow } from '../signing-keys/signing-keys.repository.ts';
import { standingOf, type Standing } from './standing.ts';
import { notConfirmed, withoutKey } from './step-up.errors.ts';
import { grantKeys, keepAct, keyChanges, publishGrantKey, takeAct } from './step-up.repository.ts';

const HOUR_MS = 60 * 60_000;

/** Creates the key that signs this process's grants. The private key stays in memory. */
export function createGrantKey(): GrantKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { kid: randomUUID(), privateKey, x: String(publicKey.export({ format: 'jwk' }).x) };
}

const standing = async (ctx: Context, userId: string): Promise<Standing> =>
  standingOf(await keyChanges(ctx.db, userId), new Date(), ctx.config.STEP_UP_WAIT_HOURS * HOUR_MS);

/** Returns a user's standing for the services that perform acts. */
export async function describeStanding(ctx: Context, userId: string): Promise<StepUpStanding> {
  const now = await standing(ctx, userId);
  return {
    state: now.state,
    until: now.state === 'waiting' ? now.until.toISOString() : null,
    grant_keys: now.state === 'keys' ? await grantKeys(ctx.db) : [],
  };
}

/** Throws 409 if the user has no key, or none that can confirm yet. */
async function confirmingKeys(ctx: Context, userId: string): Promise<SigningKeyRow[]> {
  const now = await standing(ctx, userId);
  if (now.state === 'none') throw withoutKey();
  if (now.state === 'waiting') throw stepUpWaiting(now.until.toISOString());
  return (await keysOf(ctx.db, userId)).filter(({ id }) => now.keyIds.includes(id));
}

/** Creates the statement of an act. Throws as {@link confirmingKeys}. */
export async function beginStepUp(ctx: Context, userId: string, act: StepUpAct): Promise<StepUpStated> {
  const keys = await confirmingKeys(ctx, userId);
  const nonce = randomBytes(24).toString('base64url');
  const statement = stepUpStatement({ userId, act, at: new Date().toISOString(), nonce });
  const id = await keepAct(ctx.db, { userId, act, statement });
  return { statement_id: id, statement, use: optionsToSign(ctx.config, keys, statement) };
}

/**
 * Uses up the statement, even if the signature is invalid.
 *
 * @throws 422 for a statement that is not open or not signed by a confirming key; 409 as {@link
 * confirmingKeys}
 */
export async function finishStepUp(
  ctx: Context,
  userId: string,
  { statement_id: id, used }: { statement_id: string; used: PasskeyAssertion },
): Promise<{ grant: string; expires_at: string }> {
  const open = await takeAct(ctx.db, userId, id);
  if (!open) throw notConfirmed();
  const key = (await confirmingKeys(ctx, userId)).find(({ credential_id }) => credential_id === used.id);
  const now = key && (await readSigned(ctx.config, open.statement, used, key));
  if (!now) throw notConfirmed();
  await inTransaction(ctx.db, async (tx) => {
    // The key signed something else meanwhile, or was removed.
    if (!(await moveCounter(tx, key, now.counter, now.synced))) throw notConfirmed();
  });
  await publishGrantKey(ctx.db, ctx.grantKey);
  const { grant, expiresAt } = await signGrant(ctx.grantKey, { userId, act: open.act }, id);
  return { grant, expires_at: expiresAt.toISOString() };
}
