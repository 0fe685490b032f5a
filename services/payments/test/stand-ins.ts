/** A stand-in for the wallet's internal port, which fails on demand. */
import { randomUUID } from 'node:crypto';
import type { InternalRpcResponse, InternalRpcRequest } from '@karaar/contracts/kit';
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { AppError, conflict, notFound, unavailable } from '@karaar/base/errors';
import { startInternalPort } from '@karaar/testing/internal-port';

type Debit = InternalRpcRequest<typeof walletInternalRpc.debit>;
type Debited = InternalRpcResponse<typeof walletInternalRpc.debit>;
type Cancelling = InternalRpcRequest<typeof walletInternalRpc.cancelDebit>;
type Reversing = InternalRpcRequest<typeof walletInternalRpc.reverseDebit>;

/**
 * The wallet's behaviour for a debit. `ok` answers. `crash` debits and answers 503, like a process that dies
 * before it answers. `lost` debits and never answers. `away` does nothing and never answers.
 */
export type WalletMode = 'ok' | 'crash' | 'lost' | 'away';

export type Wallet = {
  url: string;
  /** The modes of the next debits, in order; `ok` if empty. */
  next: WalletMode[];
  nextReversals: WalletMode[];
  reversals: Map<string, Reversing & { transfer_id: string }>;
  /** Every requested debit, including repetitions. */
  requestedDebits: Debit[];
  debits: Map<string, Debit & { transfer_id: string }>;
  /** Paise by user. */
  balances: Map<string, number>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Starts a wallet in memory that keeps the contract: one debit per key, and a refused key stays refused.
 * @param secret the credential that payments sends
 */
export async function startWallet(secret: string): Promise<Wallet> {
  let hangUp: () => void = () => undefined;
  let silence = new Promise<void>((resolve) => (hangUp = resolve));
  const refusals = new Map<string, AppError>();
  const port = await startInternalPort(secret, {
    [walletInternalRpc.debit.path]: (body) => answer(body as Debit),
    [walletInternalRpc.cancelDebit.path]: (body) => {
      const { idempotency_key: key } = body as Cancelling;
      const known = wallet.debits.get(key);
      if (!known) refusals.set(key, new AppError(402, 'insufficient_balance', 'This debit was cancelled.'));
      return { transfer_id: known?.transfer_id ?? null };
    },
    [walletInternalRpc.reverseDebit.path]: (body) => answerReversal(body as Reversing),
  });
  const wallet: Wallet = {
    url: port.url,
    next: [],
    nextReversals: [],
    reversals: new Map(),
    requestedDebits: [],
    debits: new Map(),
    balances: new Map(),
    start: port.open,
    stop: async () => {
      hangUp();
      await port.close();
      silence = new Promise((resolve) => (hangUp = resolve));
    },
  };

  async function answer(request: Debit): Promise<Debited> {
    wallet.requestedDebits.push(request);
    const mode = wallet.next.shift() ?? 'ok';
    if (mode === 'away') await silent();
    const debited = debit(request);
    if (mode === 'lost') await silent();
    if (mode === 'crash') throw unavailable('unavailable', 'Wallet is not available right now.');
    return debited;
  }
  async function answerReversal(request: Reversing): Promise<Debited> {
    const mode = wallet.nextReversals.shift() ?? 'ok';
    if (mode === 'away') await silent();
    const reversed = giveBack(request);
    if (mode === 'lost') await silent();
    if (mode === 'crash') throw unavailable('unavailable', 'Wallet is not available right now.');
    return reversed;
  }
  function giveBack(request: Reversing): Debited {
    const { debit_key: key, user_id, amount_paise } = request;
    const debited = wallet.debits.get(key);
    if (!debited) throw notFound('debit_not_found', 'This payment has not left the wallet.');
    if (debited.user_id !== user_id || debited.amount_paise !== amount_paise)
      throw conflict('idempotency_mismatch', 'This request was already made with other values.');
    const known = wallet.reversals.get(key);
    const balance = (wallet.balances.get(user_id) ?? 0) + (known ? 0 : amount_paise);
    const transfer_id = known?.transfer_id ?? randomUUID();
    wallet.reversals.set(key, { ...request, transfer_id });
    wallet.balances.set(user_id, balance);
    return { transfer_id, balance_paise: balance };
  }
  async function silent(): Promise<never> {
    await silence;
    throw new Error('The caller no longer waits');
  }
  function debit(request: Debit): Debited {
    const { idempotency_key: key, user_id, amount_paise } = request;
    const balance = wallet.balances.get(user_id) ?? 0;
    const known = wallet.debits.get(key);
    if (known) {
      if (JSON.stringify({ ...known, transfer_id: undefined }) !== JSON.stringify(request))
        throw conflict('idempotency_mismatch', 'This request was already made with other values.');
      return { transfer_id: known.transfer_id, balance_paise: balance };
    }
    const refused = refusals.get(key);
    if (refused) throw refused;
    if (balance < amount_paise) {
      const rupees = (paise: number) => (paise / 100).toFixed(2);
      const error = new AppError(
        402,
        'insufficient_balance',
        `Insufficient wallet balance. Required: ₹${rupees(amount_paise)}, Available: ₹${rupees(balance)}`,
      );
      refusals.set(key, error);
      throw error;
    }
    wallet.balances.set(user_id, balance - amount_paise);
    const transfer_id = randomUUID();
    wallet.debits.set(key, { ...request, transfer_id });
    return { transfer_id, balance_paise: balance - amount_paise };
  }
  return wallet;
}
