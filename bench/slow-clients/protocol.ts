/** What the bench and its slow clients tell each other. */

export type Order =
  | {
      kind: 'attack';
      port: number;
      /** Of one signed-in user. */
      token: string;
      /** Uploads from one address without a token, and from several with it. */
      strangers: number;
      signedIn: number;
    }
  | { kind: 'count' };

export type Counts = {
  /** Connections that are open now, with an upload that is not over. */
  open: number;
  /** Opened in all: what is refused or cut is tried again after a second. */
  opened: number;
  /** Answers by status, and `cut` for connections that were closed without one. */
  answers: Record<string, number>;
};
