export type CheckName =
  | 'file'
  | 'coverage'
  | 'signature'
  | 'certificate'
  | 'timestamp'
  | 'revocation'
  | 'logged'
  | 'checkpoint'
  | 'cosigned';

/** One check, with the sentence shown for it. */
export type Check = { name: CheckName; ok: boolean; detail: string };
