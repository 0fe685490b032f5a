import type { FastifyInstance } from 'fastify';
import { badField } from './errors.ts';
import type { Ledger, Listed, Page } from './ledger.ts';

type Query = Partial<Record<'from' | 'to' | 'count' | 'skip' | 'year' | 'month' | 'day', string>>;
interface Asked {
  Querystring: Query;
}

const LONGEST = 100;
const LONGEST_SETTLED = 1_000;

function numberOf(name: keyof Query, query: Query, other: number): number {
  const text = query[name];
  if (text === undefined) return other;
  if (!/^\d+$/.test(text)) throw badField(name, `The ${name} must be an integer.`);
  return Number(text);
}

function pageOf(query: Query, longest = LONGEST): Page {
  const count = numberOf('count', query, 10);
  if (count < 1) throw badField('count', 'The count must be at least 1.');
  if (count > longest) throw badField('count', `The count may not be greater than ${longest}.`);
  return {
    count,
    skip: numberOf('skip', query, 0),
    from: numberOf('from', query, 0),
    to: numberOf('to', query, Number.MAX_SAFE_INTEGER),
  };
}

const collection = (items: unknown[]) => ({ entity: 'collection', count: items.length, items });

/** The provider's lists of its own books, newest first, and single refunds and disputes. */
export function listRoutes(app: FastifyInstance, ledger: Ledger): void {
  const lists: [string, Listed][] = [
    ['/v1/payments', 'payment'],
    ['/v1/refunds', 'refund'],
    ['/v1/disputes', 'dispute'],
  ];
  for (const [path, kind] of lists)
    app.get<Asked>(path, ({ query }) => collection(ledger.list(kind, pageOf(query))));
  app.get<Asked>('/v1/settlements', ({ query }) =>
    collection(ledger.list('settlement', pageOf(query)).map((one) => ({ ...one, parts: undefined }))),
  );
  app.get<Asked>('/v1/settlements/recon/combined', ({ query }) => {
    const { skip, count } = pageOf(query, LONGEST_SETTLED);
    const [year, month, day] = (['year', 'month', 'day'] as const).map((name) => numberOf(name, query, 0));
    const date = [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
    return collection(ledger.settledOn(date).slice(skip, skip + count));
  });
  app.get<{ Params: { id: string } }>('/v1/refunds/:id', ({ params }) => ledger.refundOf(params.id));
  app.get<{ Params: { id: string } }>('/v1/disputes/:id', ({ params }) => ledger.dispute(params.id));
}
