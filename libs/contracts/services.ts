/**
 * Every service with its routes. The gateway's routing table, the OpenAPI page and the matrix of the
 * authorization test come from this list, so a service outside it is not reachable.
 */
import { deadLetterRoutes } from './auth/dead-letters-http.ts';
import { authRoutes } from './auth/http.ts';
import { cmsEditorRoutes, cmsRoutes } from './cms/http.ts';
import { documentsRoutes } from './documents/http.ts';
import { logRoutes } from './documents/log.ts';
import { sealRoutes } from './documents/seal.ts';
import { archiveRoutes } from './documents/archive.ts';
import { labelsRoutes } from './documents/labels.ts';
import { courtPackRoutes } from './documents/court-pack.ts';
import { sealedZipRoutes } from './documents/sealed-zip.ts';
import { invitationsRoutes } from './documents/invitations.ts';
import { signingKeysRoutes } from './documents/signing-keys.ts';
import { stepUpRoutes } from './documents/step-up.ts';
import { verifyRoutes } from './documents/verify.ts';
import { notificationsRoutes } from './notifications/http.ts';
import type { RouteContract } from './kit.ts';
import { messagingRoutes } from './messaging/http.ts';
import { SERVICE_NAMES, type ServiceName } from './names.ts';
import { paymentsRoutes } from './payments/http.ts';
import { visionRoutes } from './vision/http.ts';
import { exceptionRoutes } from './wallet/exceptions.ts';
import { walletRoutes } from './wallet/http.ts';

export { SERVICE_NAMES, type ServiceName };

export const serviceRoutes: Readonly<Record<ServiceName, Readonly<Record<string, RouteContract>>>> = {
  auth: { ...authRoutes, ...deadLetterRoutes },
  documents: {
    ...documentsRoutes,
    ...logRoutes,
    ...sealRoutes,
    ...verifyRoutes,
    ...courtPackRoutes,
    ...sealedZipRoutes,
    ...archiveRoutes,
    ...labelsRoutes,
    ...invitationsRoutes,
    ...signingKeysRoutes,
    ...stepUpRoutes,
  },
  payments: paymentsRoutes,
  wallet: { ...walletRoutes, ...exceptionRoutes },
  messaging: messagingRoutes,
  vision: visionRoutes,
  cms: { ...cmsRoutes, ...cmsEditorRoutes },
  notifications: notificationsRoutes,
};

export type ServiceRoute = { service: ServiceName; name: string; contract: RouteContract };

/** All routes of all services, in the order of the list above. */
export function allRoutes(): ServiceRoute[] {
  return SERVICE_NAMES.flatMap((service) =>
    Object.entries(serviceRoutes[service]).map(([name, contract]) => ({ service, name, contract })),
  );
}
