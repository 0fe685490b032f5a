/** The events that each service consumes, by handler: the broker lets a service read only these. */
import { adminActs } from '../admin.ts';
import { authEvents } from '../auth/events.ts';
import { documentsEvents } from '../documents/events.ts';
import type { EventContract } from '../kit.ts';
import { messagingEvents } from '../messaging/events.ts';
import { notificationsEvents } from '../notifications/events.ts';
import { paymentsEvents } from '../payments/events.ts';
import type { ServiceName } from '../names.ts';
import { walletEvents } from '../wallet/events.ts';

type Handlers = Readonly<Record<string, EventContract>>;

/** For the local copy of the users (libs/bus/src/directory). */
const directory: Handlers = {
  'directory-registered': authEvents.userRegistered,
  'directory-updated': authEvents.userUpdated,
  'directory-deleted': authEvents.userDeleted,
};
const sharedDocuments: Handlers = {
  'shared-created': documentsEvents.created,
  'shared-changed': documentsEvents.changed,
  'shared-finalized': documentsEvents.finalized,
};

export const consumptions: Readonly<Record<ServiceName, Handlers>> = {
  auth: {
    ...sharedDocuments,
    'text-passkey': documentsEvents.passkeyChanged,
    ...Object.fromEntries(Object.entries(adminActs).map(([service, event]) => [`audit-${service}`, event])),
  },
  documents: {
    ...directory,
    'documents-payment-completed': paymentsEvents.paymentCompleted,
    'documents-payment-reversed': paymentsEvents.paymentReversed,
    'record-rename': authEvents.userUpdated,
    'erase-personal-data': authEvents.userDeleted,
  },
  payments: {
    ...directory,
    'card-movements': walletEvents.card,
    'forget-shares': documentsEvents.changed,
  },
  wallet: {},
  messaging: {
    ...directory,
    ...sharedDocuments,
    'report-flood': documentsEvents.invitationsFlooded,
    'tell-finalization-progressed': documentsEvents.finalizationProgressed,
    'tell-document-created': documentsEvents.created,
    'tell-document-changed': documentsEvents.changed,
    'tell-payment-recorded': documentsEvents.paymentRecorded,
    'tell-document-finalized': documentsEvents.finalized,
    'tell-notifications': notificationsEvents.inboxChanged,
    'erase-personal-data': authEvents.userDeleted,
  },
  vision: {},
  cms: {},
  notifications: {
    ...directory,
    'notify-changed': documentsEvents.changed,
    'notify-finalized': documentsEvents.finalized,
    'notify-expiring': documentsEvents.expiring,
    'notify-passkey': documentsEvents.passkeyChanged,
    'notify-shares': paymentsEvents.sharesChanged,
    'notify-paid': paymentsEvents.paymentCompleted,
    'notify-reversed': paymentsEvents.paymentReversed,
    'notify-top-up': walletEvents.card,
    'notify-sign-in': authEvents.sessionOpened,
    'notify-export': authEvents.dataExported,
    'notify-phone': authEvents.phoneChanged,
    'notify-unread': messagingEvents.leftUnread,
    'erase-personal-data': authEvents.userDeleted,
  },
};

/** Returns true if a service consumes an event with this handler. */
export function consumes(service: string, handler: string, type: string, version: number): boolean {
  const event = (consumptions as Readonly<Record<string, Handlers>>)[service]?.[handler];
  return event?.type === type && event.version === version;
}
