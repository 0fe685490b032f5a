import { NOTIFICATION_KINDS } from '@karaar/contracts/notifications/kinds';
import { screenRoutes } from '@karaar/contracts/screens';
import { iconOf, lineOf, pathOf } from './notification.ts';

it('links to its document, else to wallet or profile', () => {
  expect(pathOf({ kind: 'invited', document_id: 'd1' })).toBe('/document/d1');
  expect(pathOf({ kind: 'share_due', document_id: 'd1' })).toBe('/document/d1/payment');
  expect(pathOf({ kind: 'top_up_failed', document_id: null })).toBe('/wallet');
  expect(pathOf({ kind: 'new_sign_in', document_id: null })).toBe('/profile');
  expect(pathOf({ kind: 'passkey_added', document_id: null })).toBe('/profile');
  expect(pathOf({ kind: 'phone_move_asked', document_id: null })).toBe('/profile');
  expect(pathOf({ kind: 'expiring', document_id: 'd1' })).toBe('/document/create?renew=d1');
  const known = screenRoutes.map(({ path }) => path);
  for (const kind of NOTIFICATION_KINDS) {
    expect(known).toContain(pathOf({ kind, document_id: null }));
    expect(iconOf({ kind })).toBeDefined();
  }
});

it('says that a share was changed if it replaces another one', () => {
  expect(lineOf({ kind: 'share_due' })).toBe('line_share_due');
  expect(lineOf({ kind: 'share_due', replaced_paise: 20_100 })).toBe('line_share_changed');
});
