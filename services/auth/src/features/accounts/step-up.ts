import { documentsRpc } from '@karaar/contracts/documents/rpc';
import type { StepUpAct } from '@karaar/contracts/step-up';
import { confirmedAct, type Confirmed } from '@karaar/service/step-up';
import type { Context } from '../../context.ts';

/**
 * Asks documents, which owns the keys, if the user must confirm the act, and checks the grant.
 * @param grant from the request
 * @throws as `confirmedAct`; 503 when documents does not answer
 */
export const confirmed = (
  ctx: Context,
  granted: { userId: string; act: StepUpAct },
  grant: string | undefined,
): Promise<Confirmed> =>
  confirmedAct((user_id) => ctx.bus.request(documentsRpc.stepUp, { user_id }), granted, grant);
