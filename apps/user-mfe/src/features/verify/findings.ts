/** What a check's finding is called. */
import type { Verification } from '@karaar/contracts/documents/verify';

export type Check = Verification['checks'][number];

/** Keys of the texts for each check: its name, and what it means that it holds or not. */
const WORDS = {
  file: { title: 'file', ok: 'fileOk', bad: 'fileBad' },
  coverage: { title: 'coverage', ok: 'coverageOk', bad: 'coverageBad' },
  signature: { title: 'signature', ok: 'signatureOk', bad: 'signatureBad' },
  certificate: { title: 'certificate', ok: 'certificateOk', bad: 'certificateBad' },
  timestamp: { title: 'timestamp', ok: 'timestampOk', bad: 'timestampBad' },
  revocation: { title: 'revocation', ok: 'revocationOk', bad: 'revocationBad' },
  logged: { title: 'logged', ok: 'loggedOk', bad: 'loggedBad' },
  checkpoint: { title: 'checkpoint', ok: 'checkpointOk', bad: 'checkpointBad' },
  cosigned: { title: 'cosigned', ok: 'cosignedOk', bad: 'cosignedBad' },
} as const satisfies Record<Check['name'], object>;

export function wordsOf({ name, ok }: Check) {
  const words = WORDS[name];
  return { title: words.title, finding: ok ? words.ok : words.bad } as const;
}
