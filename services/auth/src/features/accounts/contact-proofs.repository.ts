/**
 * A proof is a random secret, stored as a hash. It shows that its holder has proved the contact of an
 * invitation.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

const hashOf = (proof: string): string => createHash('sha256').update(proof).digest('hex');

export async function insertProof(db: Db, invitationId: string, contactKey: string): Promise<string> {
  const proof = randomBytes(24).toString('base64url');
  await db
    .insertInto('contact_proofs')
    .values({
      proof_hash: hashOf(proof),
      invitation_id: invitationId,
      contact_key: contactKey,
      expires_at: sql<Date>`now() + interval '2 hours'`,
    })
    .execute();
  return proof;
}

/** Returns true if this hash belongs to a valid proof for this invitation. */
export async function isProved(db: Db, invitationId: string, proofHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('contact_proofs')
    .select('proof_hash')
    .where('proof_hash', '=', proofHash)
    .where('invitation_id', '=', invitationId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function provesContact(db: Db, proof: string, contactKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('contact_proofs')
    .select('proof_hash')
    .where('proof_hash', '=', hashOf(proof))
    .where('contact_key', '=', contactKey)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses the proof up. Returns false if it was used before. */
export async function takeProof(tx: Tx<Database>, proof: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('contact_proofs')
    .where('proof_hash', '=', hashOf(proof))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function pruneProofs(db: Db): Promise<void> {
  await sql`DELETE FROM contact_proofs WHERE expires_at < now()`.execute(db);
}
