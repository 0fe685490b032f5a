import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from '@karaar/e2e/src/person.ts';
import { row, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';

const AFTER_WRONG_MS = 500;

/** The outcomes that callers of a run were given. All of them must be on record when everything has settled. */
export class Outcomes {
  /** Payments answered as completed: id → paise. */
  readonly paid = new Map<string, number>();
  /** Payments captured at the card provider: id → paise. */
  readonly captured = new Map<string, number>();
  /** Payments refused because of the balance. */
  refused = 0;
  /** Payments whose reversal an admin was promised. */
  readonly reversed = new Set<string>();
  /** Accepted refunds to cards: idempotency key → paise. */
  readonly refunds = new Map<string, number>();
  /** Disputes of card payments at the provider: id → how each ended. */
  readonly disputes = new Map<string, 'won' | 'lost'>();
  /** Accepted messages: content → id, sender, receiver, and whether it has a file. */
  readonly messages = new Map<string, { id: string; from: string; to: string; withFile: boolean }>();
  /** Registered users: id → name. */
  readonly people = new Map<string, string>();
  /** Access tokens from sign-ins. */
  readonly tokens: string[] = [];
  /** Created documents: unique name → id. */
  readonly created = new Map<string, string>();
  /** Ids of documents that were seen as finalized. */
  readonly sealed = new Set<string>();
  /** Drafts: id → latest name. */
  readonly drafts = new Map<string, string>();
  /** Ids of agreements that their second party has left. */
  readonly left = new Set<string>();
  /** Slugs of published pages. */
  readonly pages = new Set<string>();
  /** Answers that users should never get. */
  readonly wrong: string[] = [];

  /** The number of outcomes of payments so far. */
  get work(): number {
    return this.paid.size + this.refused;
  }

  /** The count of each outcome. A run without one of them proves little, but a smoke run is too short for most. */
  rows(): Row[] {
    const withFile = [...this.messages.values()].filter((message) => message.withFile);
    const needed: [what: string, count: number][] = [
      ['messages sent', this.messages.size],
      ['… with a file', withFile.length],
      ['drafts with a file uploaded first', this.drafts.size],
      ['agreements left by a party', this.left.size],
      ['people registered', this.people.size],
      ['agreements sealed', this.sealed.size],
      ['pages published', this.pages.size],
    ];
    return [
      row('payments answered as completed', this.paid.size, '', { atLeast: 1 }),
      row('card payments captured', this.captured.size, '', { atLeast: 1 }),
      row('payments refused for the balance', this.refused),
      row('payments reversed by an admin', this.reversed.size),
      row('refunds to cards', this.refunds.size),
      row('disputes', this.disputes.size),
      ...needed.map(([what, count]) => row(what, count, '', { atLeast: isSmoke ? undefined : 1 })),
    ];
  }

  /** Repeats `task` until the run is over. An error of it is a wrong answer of the product. */
  async repeat(isOver: () => boolean, task: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !isOver(); round += 1) {
      try {
        await task(round);
      } catch (error) {
        // After the end of the run a missing answer means nothing.
        if (error instanceof NoAnswer && isOver()) return;
        this.wrong.push(error instanceof Error ? error.message : String(error));
        await sleep(AFTER_WRONG_MS);
      }
    }
  }
}
