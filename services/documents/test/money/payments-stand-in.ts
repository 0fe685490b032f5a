/** The payments service as documents asks it before a party leaves, by contract over the real broker. */
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import { connectBus, type Bus } from '@karaar/platform/bus';
import { createLogger } from '@karaar/platform/logging';

type Asked = RpcRequest<typeof paymentsRpc.stopCharge>;
export type PaymentsStandIn = {
  bus: Bus;
  /** The shares that are taken, by document; none unless set here. */
  taken: Map<string, RpcResponse<typeof paymentsRpc.stopCharge>['taken']>;
  asked: Asked[];
  /** Happens before each answer. */
  meanwhile: ((asked: Asked) => Promise<unknown>) | undefined;
  stop: () => Promise<void>;
};

/** @param url the broker */
export async function startPayments(url: string): Promise<PaymentsStandIn> {
  const logger = createLogger({ name: 'payments', level: 'silent' });
  const bus = await connectBus({ url, name: 'payments', logger });
  const payments: PaymentsStandIn = {
    bus,
    taken: new Map(),
    asked: [],
    meanwhile: undefined,
    stop: () => bus.close(),
  };
  await bus.serve(paymentsRpc.stopCharge, async (asked) => {
    payments.asked.push(asked);
    await payments.meanwhile?.(asked);
    return { taken: payments.taken.get(asked.document_id) ?? [] };
  });
  return payments;
}
