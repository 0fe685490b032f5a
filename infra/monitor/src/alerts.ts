/** What a monitor finds in a log. */

export type AlertKind =
  /** Two checkpoints that the log has signed do not belong to one history. The two are the evidence. */
  | 'split-view'
  /** An entry is not the one that the signed tree holds. */
  | 'rewritten'
  /** The log does not show a tree that it has signed. */
  | 'withheld'
  /** The checkpoint is not signed by the log of the policy. */
  | 'other-key'
  /** The policy's quorum has not cosigned the checkpoint. */
  | 'unconfirmed'
  /** The log shows an older checkpoint than before, of the same history. */
  | 'behind'
  /** A view is not a checkpoint of this log: it says something of whoever gave it, not of the log. */
  | 'foreign-view'
  /** A log, or a view of it, could not be read. */
  | 'unreachable'
  /** A signing key of interest was added to the log or removed. */
  | 'key-of-interest';

export type Alert = {
  kind: AlertKind;
  /** ISO 8601. */
  at: string;
  what: string;
  /** Signed checkpoints that prove it to others. */
  evidence?: readonly string[];
};

/** What an honest log never does. */
const FAULTS: ReadonlySet<AlertKind> = new Set(['split-view', 'rewritten', 'withheld', 'other-key']);
export const isFault = ({ kind }: Alert): boolean => FAULTS.has(kind);

/** Why a look did not come to its end. */
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
