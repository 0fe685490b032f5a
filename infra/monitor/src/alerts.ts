/** README.md explains each kind. */
export type AlertKind =
  | 'split-view'
  | 'rewritten'
  | 'withheld'
  | 'other-key'
  | 'unconfirmed'
  | 'behind'
  | 'foreign-view'
  | 'unreachable'
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
