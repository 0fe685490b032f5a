/** What the callers of a run were told, to be found again when everything has settled. */
export class Told {
  /** Payments answered as completed: id → paise. */
  readonly paid = new Map<string, number>();
  /** Payments captured at the card provider: id → paise. */
  readonly captured = new Map<string, number>();
  /** Payments refused for too small a balance: an outcome, too. */
  refused = 0;
  /** Payments that an admin was told to have reversed, or to be about to. */
  readonly reversed = new Set<string>();
  /** Refunds to cards that were taken: the key → paise. */
  readonly refunds = new Map<string, number>();
  /** Disputes of card payments at the provider: id → how each ended. */
  readonly disputes = new Map<string, 'won' | 'lost'>();
  /** Messages that were answered: content → id, between whom, and whether a file is with it. */
  readonly messages = new Map<string, { id: string; from: string; to: string; withFile: boolean }>();
  /** People who were registered: id → name. */
  readonly people = new Map<string, string>();
  /** Access tokens that a sign-in gave. */
  readonly tokens: string[] = [];
  /** Documents that were created, each under a name of its own: name → id. */
  readonly created = new Map<string, string>();
  /** Those of them that were seen as finalized. */
  readonly sealed = new Set<string>();
  /** Drafts by their ids: the name that each had last. */
  readonly drafts = new Map<string, string>();
  /** Agreements that their second party has left. */
  readonly left = new Set<string>();
  /** Pages that an editor published, by their slugs. */
  readonly pages = new Set<string>();
  /** Answers that nobody should get, whatever is down. */
  readonly wrong: string[] = [];

  /** Outcomes so far: what a kill is in the middle of. */
  get work(): number {
    return this.paid.size + this.refused;
  }
}
