import { X509Certificate } from 'node:crypto';
import { equal } from '@karaar/proof/bytes';
import { readCertificate, type Certificate } from '@karaar/proof/seal/certificate';
import type { Trust } from '@karaar/proof/seal/check';
import type { Context } from '../../context.ts';
import { readCertificates } from './seal-certificates.repository.ts';

/** Parses the certificates in a PEM text. Throws for an invalid certificate. */
export function pemCertificates(pem: string): Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => readCertificate(new Uint8Array(new X509Certificate(block).raw)));
}

export async function trustOf(ctx: Context): Promise<Trust> {
  const chains = (await readCertificates(ctx.db)).map((chain) =>
    chain.map((der) => readCertificate(new Uint8Array(der))),
  );
  return {
    sealers: chains.flatMap(([own]) => (own ? [own] : [])),
    roots: chains.flatMap(rootsOf),
    timestampRoots: ctx.timestampRoots,
  };
}

/** Self-signed certificates; for a chain without its root, the last certificate. */
function rootsOf(chain: readonly Certificate[]): Certificate[] {
  const own = chain.filter(({ issuer, subject }) => equal(issuer.bytes, subject.bytes));
  return own.length > 0 ? own : chain.slice(-1);
}
