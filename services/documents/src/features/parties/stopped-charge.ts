/** Changes that end a document's charge: a party leaves or is removed, or the creator cancels the document. */
import { toRupees } from '@karaar/contracts/charge';
import type { RpcResponse } from '@karaar/contracts/kit';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import type { Context } from '../../context.ts';
import type { Agreement } from '../agreements/rules/agreement.ts';
import { changedTooOften } from '../agreements/rules/agreement.errors.ts';
import { partyName, type DocumentRecord } from '../agreements/agreement-records.repository.ts';
import { agreementOf, getDocument } from '../agreements/agreements.service.ts';
import {
  changeAgreement,
  decideOn,
  VersionMoved,
  type Actor,
  type AgreementChange,
  type Rule,
} from '../agreements/transition.ts';

const ATTEMPTS = 5;

type Taken = RpcResponse<typeof paymentsRpc.stopCharge>['taken'];

type EndingChange = {
  actor: Actor;
  rule: Rule;
  /** The user whose own share must not be set up; if absent, no share may be paid or being paid. */
  removed?: string;
  /** @param shares a sentence for each share that prevents the change */
  refuse: (shares: string) => Error;
  /** True if an earlier request has made the change. */
  isDone?: (record: DocumentRecord) => Promise<boolean>;
  steps: (change: AgreementChange, next: Agreement, record: DocumentRecord) => Promise<void>;
};

/**
 * Changes a document whose charge ends. Payments first stops charging for this version of the document. The change
 * then applies to exactly this version, or starts again if the document has changed, so that no payment comes in
 * between. Throws the errors of the rule, `refuse`'s error for shares that prevent the change, 409 if the document
 * changes all the time, 503 while payments is down.
 */
export async function changeWithChargeStopped(
  ctx: Context,
  viewerId: string,
  id: string,
  { actor, rule, removed, refuse, isDone, steps }: EndingChange,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { record } = await getDocument(ctx, viewerId, id);
    if (await isDone?.(record)) return;
    await decideOn(ctx.db, agreementOf(record), actor, rule);
    const { id: documentId, version } = record.document;
    const request = { document_id: documentId, version, ...(removed === undefined ? {} : { removed }) };
    const { taken } = await ctx.bus.request(paymentsRpc.stopCharge, request);
    if (taken.length > 0) throw refuse(wordsOf(record, taken));
    try {
      await changeAgreement(ctx, id, actor, async (change) => {
        change.requireVersion(version);
        await steps(change, await change.decide(rule), record);
      });
      return;
    } catch (error) {
      if (!(error instanceof VersionMoved)) throw error;
    }
  }
  throw changedTooOften();
}

/** Returns a sentence for each share that prevents the act. */
function wordsOf(record: DocumentRecord, taken: Taken): string {
  return taken
    .map(({ user_id, amount_paise, state }) => {
      const name = partyName(record, user_id);
      const amount = `₹${toRupees(amount_paise).toFixed(2)}`;
      if (state === 'open') return `${name} has a share of ${amount} in the charge.`;
      return state === 'paid'
        ? `${name} has paid ${amount}.`
        : `${name}'s payment of ${amount} is under way.`;
    })
    .join(' ');
}
