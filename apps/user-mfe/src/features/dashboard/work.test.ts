import type { WorkItem } from '@karaar/contracts/documents/http';
import { linkOf, withMoney } from './work.ts';

const item = (kind: WorkItem['kind'], document_id: string): WorkItem => ({
  kind,
  document_id,
  name: 'Rent',
  people: [],
});

it('a share to pay comes before drafts, in place of the same document’s payment', () => {
  const mine = [item('accept', 'd1'), item('pay', 'd2'), item('pay', 'd3'), item('draft', 'd4')];
  const share = { document_id: 'd2', document_name: 'Rent', amount: 2.8 };
  const all = withMoney(mine, [share], []);
  expect(all.map(({ kind, document_id }) => `${kind} ${document_id}`)).toEqual([
    'accept d1',
    'pay d3',
    'share d2',
    'draft d4',
  ]);
  expect(all.map(linkOf)[2]).toBe('/document/d2/payment');
  expect(withMoney(mine, [], [])).toEqual(mine);
});

it('a top-up that is not in the wallet yet comes after the shares, and leads to the wallet', () => {
  const topUp = {
    order: { id: 'order_1', amount: 67_000, currency: 'INR' },
    state: 'unfinished' as const,
    created_at: '2026-12-01T06:30:00Z',
  };
  const share = { document_id: 'd2', document_name: 'Rent', amount: 2.8 };
  const [first, second, last] = withMoney([item('draft', 'd4')], [share], [topUp]);
  expect([first?.kind, last?.kind]).toEqual(['share', 'draft']);
  expect(second).toMatchObject({ kind: 'unfinished', document_id: 'order_1', amount: 670, topUp });
  expect(second && linkOf(second)).toBe('/wallet');
});
