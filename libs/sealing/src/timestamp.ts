import type { TimestampAuthority } from '@libpdf/core';

import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import type { Certificate } from '@karaar/proof/seal/certificate';
import { readDer } from '@karaar/proof/seal/der';
import { verifyTimestamp } from '@karaar/proof/seal/timestamp';
import { SealError } from './errors.ts';

type DigestAlgorithm = Parameters<TimestampAuthority['timestamp']>[1];

const OIDS: Record<DigestAlgorithm, string> = {
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
};
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const MAX_ANSWER = 64 * 1024;

export interface TimestampOptions {
  /** RFC 3161 authorities over HTTP, in order of preference. */
  urls: readonly string[];
  timeoutMs?: number;
  /** Rounds over all authorities before giving up. */
  rounds?: number;
  /** Milliseconds before the next round; doubles each time. */
  pauseMs?: number;
  /** If given, a token must verify up to one of these roots; otherwise the next authority is asked. */
  roots?: readonly Certificate[];
}

/**
 * Returns an authority that asks all authorities in turn until one answers for exactly our digest and nonce.
 * @throws SealError `tsa_unavailable` when none does
 */
export function createTimestamper(options: TimestampOptions): TimestampAuthority {
  const { urls, timeoutMs = 8000, rounds = 2, pauseMs = 500, roots = [] } = options;
  return {
    async timestamp(digest, algorithm) {
      const faults: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        if (round > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** (round - 1)));
        for (const url of urls) {
          try {
            return await trusted(await request(url, digest, algorithm, timeoutMs), digest, roots);
          } catch (error) {
            faults.push(`${new URL(url).host}: ${error instanceof Error ? error.message : String(error)}`);
          }
        }
      }
      throw new SealError('tsa_unavailable', `No timestamp authority answered (${faults.join('; ')}).`);
    },
  };
}

/** Verifies the token here, while another authority can still be asked. */
async function trusted(
  token: Uint8Array,
  digest: Uint8Array,
  roots: readonly Certificate[],
): Promise<Uint8Array> {
  if (roots.length === 0) return token;
  const { ok, why } = await verifyTimestamp(readDer(token), { digest }, roots);
  if (!ok) throw new Error(`the timestamp does not hold: ${why}`);
  return token;
}

async function request(
  url: string,
  digest: Uint8Array,
  algorithm: DigestAlgorithm,
  timeoutMs: number,
): Promise<Uint8Array> {
  const nonce = new asn1.Integer({ valueHex: positive(crypto.getRandomValues(new Uint8Array(8))) });
  const query = new pki.TimeStampReq({
    version: 1,
    messageImprint: new pki.MessageImprint({
      hashAlgorithm: new pki.AlgorithmIdentifier({
        algorithmId: OIDS[algorithm],
        algorithmParams: new asn1.Null(),
      }),
      hashedMessage: new asn1.OctetString({ valueHex: copyOf(digest) }),
    }),
    nonce,
    certReq: true,
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: query.toSchema().toBER(),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const body = await response.arrayBuffer();
  if (body.byteLength > MAX_ANSWER) throw new Error('the answer is too large');
  return tokenOf(body, digest, nonce);
}

/** Returns the token of an answer, after checking that it is granted and matches the request. */
function tokenOf(body: ArrayBuffer, digest: Uint8Array, nonce: asn1.Integer): Uint8Array {
  const answer = pki.TimeStampResp.fromBER(body);
  if (answer.status.status > 1) throw new Error(`refused with status ${answer.status.status}`);
  if (!answer.timeStampToken) throw new Error('the answer holds no timestamp');
  const signed = new pki.SignedData({ schema: answer.timeStampToken.content });
  const content = signed.encapContentInfo.eContent;
  if (signed.encapContentInfo.eContentType !== TST_INFO || !content)
    throw new Error('the answer is not a timestamp');
  const info = pki.TSTInfo.fromBER(content.getValue());
  const imprint = new Uint8Array(info.messageImprint.hashedMessage.getValue());
  if (!Buffer.from(imprint).equals(digest)) throw new Error('the timestamp is for other data');
  if (!info.nonce?.isEqual(nonce)) throw new Error('the timestamp answers another request');
  return new Uint8Array(answer.timeStampToken.toSchema().toBER());
}

function positive(bytes: Uint8Array): ArrayBuffer {
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return copyOf(bytes);
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
