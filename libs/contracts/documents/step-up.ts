/** The routes for confirming an action with a passkey (docs/adr/0085). */
import { Type, type Static } from 'typebox';
import { PasskeyAssertion, RequestOptions } from '../auth/passkeys-http.ts';
import { defineRoute, IsoDateTime } from '../kit.ts';
import { StepUpAct } from '../step-up.ts';

const StepUpStated = Type.Object({
  statement_id: Type.String(),
  statement: Type.String(),
  use: RequestOptions,
});
export type StepUpStated = Static<typeof StepUpStated>;

export const stepUpRoutes = {
  beginStepUp: defineRoute({
    method: 'POST',
    path: '/documents/step-up',
    access: 'user',
    summary:
      'The statement of an act for the own passkeys to sign: once, within five minutes; 409 `step_up_without_key`, `step_up_waiting`',
    body: Type.Object({ act: StepUpAct }),
    response: { 200: StepUpStated },
  }),
  finishStepUp: defineRoute({
    method: 'POST',
    path: '/documents/step-up/grant',
    access: 'user',
    summary:
      'The grant for a signed statement: for this user and act, once, within two minutes; sent with the act in the header `step-up-grant`',
    body: Type.Object({ statement_id: Type.String({ format: 'uuid' }), used: PasskeyAssertion }),
    response: { 200: Type.Object({ grant: Type.String(), expires_at: IsoDateTime }) },
  }),
} as const;
