import { authInvitationsRoutes as routes } from '@karaar/contracts/auth/invitations-http';
import { authRpc } from '@karaar/contracts/auth/rpc';
import { mountRoute, type HttpApp } from '@karaar/http';
import type { Context } from '../../context.ts';
import { originOf } from '../sessions/device.ts';
import { hasProved, proveInvitation, sendInvitationCode } from './invitations.service.ts';

export function invitationsRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.sendInvitationCode, async ({ body, req }) => {
    const sent = await sendInvitationCode(ctx, body.token, req.ip, body.language);
    return {
      message: sent.alreadySent ? 'A code was sent a moment ago. Enter that one.' : 'A code is on its way.',
      resend_after_s: sent.resendAfterS,
      challenge_id: sent.challengeId,
    };
  });
  mountRoute(app, routes.proveInvitation, ({ body, req }) => proveInvitation(ctx, body, originOf(req)));
}

export async function invitationsRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(authRpc.invitationProof, (request) => hasProved(ctx, request));
}
