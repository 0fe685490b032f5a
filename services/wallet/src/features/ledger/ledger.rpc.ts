import { walletRpc } from '@karaar/contracts/wallet/rpc';
import type { Context } from '../../context.ts';
import { cancelDebit, debitWallet, giveBack } from './ledger.service.ts';

export async function ledgerRpc(ctx: Context): Promise<void> {
  await ctx.bus.serve(walletRpc.debit, (request) => debitWallet(ctx, request));
  await ctx.bus.serve(walletRpc.cancelDebit, (request) => cancelDebit(ctx, request));
  await ctx.bus.serve(walletRpc.reverseDebit, (request) => giveBack(ctx, request));
}
