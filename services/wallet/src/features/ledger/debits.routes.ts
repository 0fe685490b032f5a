import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import type { HttpApp } from '@karaar/http';
import { serveInternalRpc } from '@karaar/service/internal-rpc';
import type { Context } from '../../context.ts';
import { cancelDebit, debitWallet, giveBack } from './ledger.service.ts';

export function debitsRoutes(inner: HttpApp, ctx: Context): void {
  serveInternalRpc(inner, walletInternalRpc.debit, (request) => debitWallet(ctx, request));
  serveInternalRpc(inner, walletInternalRpc.cancelDebit, (request) => cancelDebit(ctx, request));
  serveInternalRpc(inner, walletInternalRpc.reverseDebit, (request) => giveBack(ctx, request));
}
