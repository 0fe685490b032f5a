/** The label of each admin action; one without a label shows its own name. */
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
  'court-pack.taken': 'courtPackTaken',
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
  'dead-letter.retry-asked': 'deadLetterRetryAsked',
  'dead-letter.drop-asked': 'deadLetterDropAsked',
};

export const wordOf = (action: string): Key | undefined => ACTIONS[action];

/** The filter options of the log. */
export const AREAS = [
  { value: 'admin', label: 'areaAdmin' },
  { value: 'user', label: 'areaUser' },
  { value: 'biometrics', label: 'areaBiometrics' },
  { value: 'court-pack', label: 'areaCourtPack' },
  { value: 'refund', label: 'areaRefund' },
  { value: 'exception', label: 'areaException' },
  { value: 'reversal', label: 'areaReversal' },
  { value: 'pricing', label: 'areaPricing' },
  { value: 'page', label: 'areaPage' },
  { value: 'report', label: 'areaReport' },
  { value: 'dead-letter', label: 'areaDeadLetter' },
] as const satisfies readonly { value: string; label: Key }[];
