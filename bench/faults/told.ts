import { NoAnswer } from '../lib/people.ts';
import { row, type Row } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const AFTER_WRONG_MS = 500;

/** The outcomes that callers of a run were told, to be found again when everything has settled. */
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
  /** Answers that users should not get, whatever is down. */
  readonly wrong: string[] = [];

  /** Outcomes so far: what a kill is in the middle of. */
  get work(): number {
    return this.paid.size + this.refused;
  }

  summary(): string {
    const { paid, captured, messages, people, sealed, pages, wrong } = this;
    return (
      `${paid.size} payments, ${captured.size} top-ups, ${messages.size} messages, ${people.size} people, ` +
      `${sealed.size} sealed, ${pages.size} pages${wrong.length > 0 ? `, ${wrong.length} wrong answers` : ''}`
    );
  }

  /** How often each thing happened: a run in which something did not happen proves little. */
  rows(reach: 'money' | 'all'): Row[] {
    // A smoke is too short for most of it.
    const some = { atLeast: isSmoke ? undefined : 1 };
    const withFile = [...this.messages.values()].filter((message) => message.withFile).length;
    return [
      row('payments told as completed', this.paid.size, '', { atLeast: 1 }),
      row('card payments captured', this.captured.size, '', { atLeast: 1 }),
      row('payments refused for the balance', this.refused),
      row('payments reversed by an admin', this.reversed.size),
      row('refunds to cards', this.refunds.size),
      row('disputes', this.disputes.size),
      ...(reach === 'money'
        ? []
        : [
            row('messages sent', this.messages.size, '', some),
            row('… with a file', withFile, '', some),
            row('drafts kept, of files sent early', this.drafts.size, '', some),
            row('agreements left by a party', this.left.size, '', some),
            row('people registered', this.people.size, '', some),
            row('agreements sealed', this.sealed.size, '', some),
            row('pages published', this.pages.size, '', some),
          ]),
    ];
  }

  /** Repeats `task` until the run is over; an error of it is a wrong answer of the product, which is kept, and the work goes on. */
  async repeat(isOver: () => boolean, task: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !isOver(); round += 1) {
      try {
        await task(round);
      } catch (error) {
        // Patience that ended with the run tells nothing of the product.
        if (error instanceof NoAnswer && isOver()) return;
        this.wrong.push(error instanceof Error ? error.message : String(error));
        await sleep(AFTER_WRONG_MS);
      }
    }
  }
}
