/** A stand-in for payments over the real broker: documents calls it before a party leaves or archives. */
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import { connectBus, type Bus } from '@karaar/bus';
import { createLogger } from '@karaar/observability/logging';

type StopRequest = RpcRequest<typeof paymentsRpc.stopCharge>;
export type PaymentsStandIn = {
  bus: Bus;
  /** The shares that are paid or being paid, by document; empty by default. */
  taken: Map<string, RpcResponse<typeof paymentsRpc.stopCharge>['taken']>;
  /** Users with an unpaid share, by document; empty by default. */
  owing: Map<string, string[]>;
  requests: StopRequest[];
  meanwhile: ((request: StopRequest) => Promise<unknown>) | undefined;
  stop: () => Promise<void>;
};

export async function startPayments(url: string): Promise<PaymentsStandIn> {
  const logger = createLogger({ name: 'payments', level: 'silent' });
  const bus = await connectBus({ url, name: 'payments', logger });
  const payments: PaymentsStandIn = {
    bus,
    taken: new Map(),
    owing: new Map(),
    requests: [],
    meanwhile: undefined,
    stop: () => bus.close(),
  };
  await bus.serve(paymentsRpc.stopCharge, async (request) => {
    payments.requests.push(request);
    await payments.meanwhile?.(request);
    return { taken: payments.taken.get(request.document_id) ?? [] };
  });
  await bus.serve(paymentsRpc.owes, async ({ user_id, document_id }) => ({
    owes: payments.owing.get(document_id)?.includes(user_id) ?? false,
  }));
  return payments;
}
