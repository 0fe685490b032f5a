/** How the acts of admins are called. One that has no word is shown by its own name. */
import type { KeyOf } from '@karaar/i18n';
import type en from './texts/en.json';

type Key = KeyOf<typeof en>;

const ACTIONS: Readonly<Record<string, Key>> = {
  'admin.signed-in': 'signedIn',
  'totp.enabled': 'totpEnabled',
  'passkey.added': 'passkeyAdded',
  'passkey.removed': 'passkeyRemoved',
  'recovery-codes.renewed': 'codesRenewed',
  'user.deactivated': 'userDeactivated',
  'user.reactivated': 'userReactivated',
  'users.exported': 'usersExported',
  'audit.exported': 'auditExported',
  'documents.exported': 'documentsExported',
  'payments.exported': 'paymentsExported',
  'biometrics.opened': 'biometricsOpened',
  'pricing.changed': 'pricingChanged',
  'pricing.user-editing': 'pricingEditing',
  'exception.proposed': 'exceptionProposed',
  'exception.confirmed': 'exceptionConfirmed',
  'reconciliation.asked': 'reconciliationAsked',
  'refund.made': 'refundMade',
  'reversal.made': 'reversalMade',
  'reversal.requested': 'reversalRequested',
  'reversal.confirmed': 'reversalConfirmed',
  'reversal.declined': 'reversalDeclined',
  'page.published': 'pagePublished',
  'report.resolved': 'reportResolved',
};

export const wordOf = (action: string): Key | undefined => ACTIONS[action];

/** What the log is filtered by. */
export const AREAS = [
  { value: 'admin', label: 'areaAdmin' },
  { value: 'user', label: 'areaUser' },
  { value: 'biometrics', label: 'areaBiometrics' },
  { value: 'refund', label: 'areaRefund' },
  { value: 'exception', label: 'areaException' },
  { value: 'reversal', label: 'areaReversal' },
  { value: 'pricing', label: 'areaPricing' },
  { value: 'page', label: 'areaPage' },
  { value: 'report', label: 'areaReport' },
] as const satisfies readonly { value: string; label: Key }[];
