/** The card provider's books in pages, so that memory and calls are bounded. */
import { AppError } from '@karaar/base/errors';
import { Type, type Static, type TSchema } from 'typebox';
import { asRefusal, call, type Transport } from './provider-call.ts';
import {
  DisputeEntity,
  PaymentEntity,
  RefundEntity,
  toDispute,
  toPayment,
  toRefund,
  type ProviderDispute,
  type ProviderPayment,
  type ProviderRefund,
} from './provider-entities.ts';

/** When the provider created the entity, in seconds since 1970, both ends included. */
export type Span = { from: number; to: number };
export type Day = { year: number; month: number; day: number };

/** A payout to our bank. */
export type Settlement = { id: string; amountPaise: number; status: string };
/** One item of a settlement. */
export type Settled = {
  id: string;
  type: string;
  amountPaise: number;
  /** The item's share of the settlement, after the provider's fee; negative if it reduced the settlement. */
  netPaise: number;
  settlementId: string;
  disputeId: string | null;
};

type Pages<Item> = AsyncGenerator<Item[]>;
export type ProviderBooks = {
  payments: (span: Span) => Pages<ProviderPayment>;
  refunds: (span: Span) => Pages<ProviderRefund>;
  /** Returns all disputes with their time of opening: the provider's list takes no span. */
  disputes: () => Pages<ProviderDispute & { createdAt: number }>;
  settlements: (span: Span) => Pages<Settlement>;
  settledOn: (day: Day) => Pages<Settled>;
  findRefund: (id: string) => Promise<ProviderRefund | undefined>;
  findDispute: (id: string) => Promise<ProviderDispute | undefined>;
};

/** The provider's largest pages: of most lists, and of settlement items. */
const PAGE = 100;
const SETTLED_PAGE = 1_000;
/** The most pages of one list; beyond it something is wrong, and the run ends. */
const MOST_PAGES = 5_000;

const ListedDispute = Type.Object({ ...DisputeEntity.properties, created_at: Type.Integer() });
const SettlementEntity = Type.Object({
  id: Type.String({ minLength: 1 }),
  amount: Type.Integer(),
  status: Type.String(),
});
const SettledEntity = Type.Object({
  entity_id: Type.String({ minLength: 1 }),
  type: Type.String(),
  amount: Type.Integer(),
  debit: Type.Integer(),
  credit: Type.Integer(),
  settlement_id: Type.String(),
  dispute_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/**
 * Returns the provider's books. Each call throws 503 if the provider is down, too slow or answers with
 * another shape.
 */
export function createProviderBooks(transport: Transport): ProviderBooks {
  const get = <S extends TSchema>(shape: S, path: string, params: Record<string, number> = {}) =>
    call(shape, async () => (await transport.get(path, { params }).catch(asRefusal)).data);

  async function* pagesOf<S extends TSchema>(
    path: string,
    item: S,
    params: Record<string, number>,
    size = PAGE,
  ): Pages<Static<S>> {
    const Page = Type.Object({ items: Type.Array(item) });
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { items } = await get(Page, path, { ...params, count: size, skip: page * size });
      if (items.length > 0) yield items as Static<S>[];
      if (items.length < size) return;
    }
    throw new Error(`${path} has more than ${MOST_PAGES} pages`);
  }

  /** A refusal of the id means that there is no such entity. */
  async function find<S extends TSchema>(shape: S, path: string): Promise<Static<S> | undefined> {
    try {
      return await get(shape, path);
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return undefined;
      throw error;
    }
  }

  return {
    payments: (span) => mapped(pagesOf('/v1/payments', PaymentEntity, span), toPayment),
    refunds: (span) => mapped(pagesOf('/v1/refunds', RefundEntity, span), toRefund),
    disputes: () =>
      mapped(pagesOf('/v1/disputes', ListedDispute, {}), (dispute) => ({
        ...toDispute(dispute),
        createdAt: dispute.created_at,
      })),
    settlements: (span) =>
      mapped(pagesOf('/v1/settlements', SettlementEntity, span), ({ id, amount, status }) => ({
        id,
        amountPaise: amount,
        status,
      })),
    settledOn: (day) =>
      mapped(
        pagesOf('/v1/settlements/recon/combined', SettledEntity, { ...day }, SETTLED_PAGE),
        (settled) => ({
          id: settled.entity_id,
          type: settled.type,
          amountPaise: settled.amount,
          netPaise: settled.credit - settled.debit,
          settlementId: settled.settlement_id,
          disputeId: settled.dispute_id ?? null,
        }),
      ),
    findRefund: async (id) => {
      const refund = await find(RefundEntity, `/v1/refunds/${encodeURIComponent(id)}`);
      return refund && toRefund(refund);
    },
    findDispute: async (id) => {
      const dispute = await find(DisputeEntity, `/v1/disputes/${encodeURIComponent(id)}`);
      return dispute && toDispute(dispute);
    },
  };
}

async function* mapped<From, To>(pages: Pages<From>, map: (item: From) => To): Pages<To> {
  for await (const page of pages) yield page.map(map);
}
