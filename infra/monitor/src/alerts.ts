export type AlertKind =
  /** Two signed checkpoints do not belong to one history. They are the evidence. */
  | 'split-view'
  /** An entry is not the one in the signed tree. */
  | 'rewritten'
  /** The log does not serve a tree that it has signed. */
  | 'withheld'
  /** The policy's log has not signed the checkpoint. */
  | 'other-key'
  /** The policy's quorum has not cosigned the checkpoint. */
  | 'unconfirmed'
  /** The log shows an older checkpoint of the same history than before. */
  | 'behind'
  /** A view is not a checkpoint of this log: a fault of the view's source, not of the log. */
  | 'foreign-view'
  /** The log or a view could not be read. */
  | 'unreachable'
  /** A signing key of interest was added or removed. */
  | 'key-of-interest';

export type Alert = {
  kind: AlertKind;
  at: string;
  what: string;
  /** Signed checkpoints that prove the finding to others. */
  evidence?: readonly string[];
};

/** Findings that an honest log never causes. */
const FAULTS: ReadonlySet<AlertKind> = new Set(['split-view', 'rewritten', 'withheld', 'other-key']);
export const isFault = ({ kind }: Alert): boolean => FAULTS.has(kind);

/** A check of the log stopped at this finding. */
export class Found extends Error {
  override name = 'Found';
  readonly alert: Alert;

  constructor(kind: AlertKind, what: string, evidence?: readonly string[]) {
    super(what);
    this.alert = alertOf(kind, what, evidence);
  }
}

export const alertOf = (kind: AlertKind, what: string, evidence?: readonly string[]): Alert => ({
  kind,
  at: new Date().toISOString(),
  what,
  ...(evidence ? { evidence } : {}),
});
