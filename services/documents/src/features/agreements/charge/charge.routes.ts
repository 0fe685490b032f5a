import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import type { HttpApp } from '@karaar/http';
import { serveInternalRpc } from '@karaar/service/internal-rpc';
import type { Context } from '../../../context.ts';
import { describeCharge } from './charge.service.ts';

export function chargeRoutes(inner: HttpApp, ctx: Context): void {
  serveInternalRpc(inner, documentsInternalRpc.chargeable, async ({ document_id, at_least = 0 }) => ({
    document: await describeCharge(ctx, document_id, at_least),
  }));
}
