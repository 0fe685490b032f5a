import { sealRoutes as routes } from '@karaar/contracts/documents/seal';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { daysLeft, endsSoon } from './seal-expiry.ts';

export function sealRoutes(app: HttpApp, { sealer }: Context): void {
  mountRoute(app, routes.adminSeal, async () => {
    const { signer, certFingerprint, notAfter, ownAuthority } = sealer.identity;
    const left = daysLeft(sealer.identity, new Date());
    return {
      signer,
      fingerprint: certFingerprint,
      not_after: notAfter.toISOString(),
      days_left: left,
      ends_soon: endsSoon(left),
      level: sealer.level,
      own_authority: ownAuthority,
    };
  });
}
