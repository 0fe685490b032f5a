/** The certificates with which this service has sealed: whose seals are Karaar's. */
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** Remembers a certificate with its chain (DER, the root last). */
export async function rememberCertificate(
  db: Kysely<Database>,
  fingerprint: string,
  chain: readonly Uint8Array[],
): Promise<void> {
  await db
    .insertInto('seal_certificates')
    .values({ fingerprint, chain: JSON.stringify(chain.map((der) => Buffer.from(der).toString('base64'))) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Every chain, its certificate first. */
export async function readCertificates(db: Kysely<Database>): Promise<Buffer[][]> {
  const rows = await db.selectFrom('seal_certificates').select('chain').execute();
  return rows.map(({ chain }) => chain.map((text) => Buffer.from(text, 'base64')));
}
