import { documentsInternalRpc } from '@karaar/contracts/documents/inner';
import type { HttpApp } from '@karaar/http';
import { serveInternalRpc } from '@karaar/service/internal-rpc';
import type { Context } from '../../../context.ts';
import { chargesOf } from './charge.service.ts';

export function chargeRoutes(inner: HttpApp, ctx: Context): void {
  const charge = chargesOf(ctx);
  serveInternalRpc(inner, documentsInternalRpc.chargeable, async ({ document_id, at_least = 0 }) => ({
    document: await charge(document_id, at_least),
  }));
}
