/** What a passkey signs to confirm an act, and what carries its grant. Without schemas, because screens import it. */
import type { StepUpAct } from './step-up.ts';

/** The request header that carries a grant. */
export const STEP_UP_HEADER = 'step-up-grant';

/** The service that performs the act, and to which alone its grant is addressed. */
export const performerOf = ({ action }: StepUpAct): 'payments' | 'auth' =>
  action === 'pay' ? 'payments' : 'auth';

/** The act as one text, the same for the same act: what a statement and a grant carry. */
export function actText(act: StepUpAct): string {
  switch (act.action) {
    case 'pay':
      return JSON.stringify([act.action, act.document_id.toLowerCase(), act.amount_paise]);
    case 'change_phone':
      return JSON.stringify([act.action, act.phone_no]);
    case 'export':
    case 'delete_account':
      return JSON.stringify([act.action]);
  }
}

const FIRST_LINE = 'karaar/step-up/v1';

/** The statement that a passkey signs by its SHA-256: who confirms which act, when, with a nonce (base64url). */
export const stepUpStatement = (stated: {
  userId: string;
  act: StepUpAct;
  at: string;
  nonce: string;
}): string => [FIRST_LINE, stated.userId, actText(stated.act), stated.at, stated.nonce, ''].join('\n');

/** Whether a statement says that this user confirms this act: for the device that is asked to sign it. */
export const statesAct = (statement: string, userId: string, act: StepUpAct): boolean =>
  statement.startsWith([FIRST_LINE, userId, actText(act), ''].join('\n'));
