/** Whose turn a document is, for its row in the list; pure. */
import type { Document } from '@karaar/contracts/documents/http';
import { userName } from '@karaar/ui/format';
import { involvedParties } from '../../shared/roles.ts';
import { nextStep } from '../detail/next/next.ts';

/** `names` is empty if only people without an account are awaited. */
type TurnWords = { isOwn: true; key: 'yourTurn' | 'yourMove' } | { isOwn: false; names: string };

/** Returns whose turn it is; null for a draft, and once nothing is awaited. */
export function turnWords(document: Document, userId: string): TurnWords | null {
  if (document.status === 'draft') return null;
  const next = nextStep(document, userId, 0);
  switch (next.kind) {
    case 'sign':
    case 'approve':
      return { isOwn: true, key: 'yourTurn' };
    case 'admit':
    case 'addParty':
    case 'seal':
    case 'settle':
      return { isOwn: true, key: 'yourMove' };
    case 'wait':
      return { isOwn: false, names: next.names };
    case 'pay':
    case 'sealing':
    case 'keep':
    case 'over':
      return null;
  }
}

/** Returns the names of the other parties; empty without any. */
export const withWhom = (document: Document, userId: string): string =>
  involvedParties(document)
    .filter(({ user_id }) => user_id !== userId)
    .map(({ name }) => userName(name))
    .join(', ');
