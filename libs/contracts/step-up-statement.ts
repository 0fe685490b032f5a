/**
 * The statement that a passkey signs to confirm an action, and the header of its grant. Without schemas,
 * because the user interface imports it.
 */
import type { StepUpAct } from './step-up.ts';

export const STEP_UP_HEADER = 'step-up-grant';

/** Returns the service that performs the action, the only audience of its grant. */
export const performerOf = ({ action }: StepUpAct): 'payments' | 'auth' =>
  action === 'pay' ? 'payments' : 'auth';

/** Returns the action as a canonical text, for statements and grants. */
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

/** Returns the statement whose SHA-256 a passkey signs: user, action, time, and a nonce (base64url). */
export const stepUpStatement = (stated: {
  userId: string;
  act: StepUpAct;
  at: string;
  nonce: string;
}): string => [FIRST_LINE, stated.userId, actText(stated.act), stated.at, stated.nonce, ''].join('\n');

/** Returns true if a statement is about this user and this action; the device checks it before it signs. */
export const statesAct = (statement: string, userId: string, act: StepUpAct): boolean =>
  statement.startsWith([FIRST_LINE, userId, actText(act), ''].join('\n'));
