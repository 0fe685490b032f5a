/** Acts on an account that a person who has a passkey for signing confirms with it (docs/adr/0085). */
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { StepUpAct } from '@karaar/contracts/step-up';
import { confirmedAct, type Confirmed } from '@karaar/platform/step-up';
import type { Context } from '../../context.ts';

/**
 * What has to be confirmed is asked of documents, which owns the keys.
 * @param grant as the request carries it
 * @throws as `confirmedAct`, 503 when documents does not answer
 */
export const confirmed = (
  ctx: Context,
  granted: { userId: string; act: StepUpAct },
  grant: string | undefined,
): Promise<Confirmed> =>
  confirmedAct((user_id) => ctx.bus.request(documentsRpc.stepUp, { user_id }), granted, grant);
