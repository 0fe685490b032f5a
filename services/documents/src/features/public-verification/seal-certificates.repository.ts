/** The certificates with which this service has sealed, and by which it recognises its seals. */
import type { Db } from '../../db/schema.ts';

/** Stores a certificate with its chain (DER, the root last). */
export async function rememberCertificate(
  db: Db,
  fingerprint: string,
  chain: readonly Uint8Array[],
): Promise<void> {
  await db
    .insertInto('seal_certificates')
    .values({ fingerprint, chain: JSON.stringify(chain.map((der) => Buffer.from(der).toString('base64'))) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns every chain, the sealing certificate first. */
export async function readCertificates(db: Db): Promise<Buffer[][]> {
  const rows = await db.selectFrom('seal_certificates').select('chain').execute();
  return rows.map(({ chain }) => chain.map((text) => Buffer.from(text, 'base64')));
}
