import type { WorkItem } from '@karaar/contracts/documents/http';
import { linkOf, withShares } from './work.ts';

const item = (kind: WorkItem['kind'], document_id: string): WorkItem => ({
  kind,
  document_id,
  name: 'Rent',
  people: [],
});

it('a share to pay comes before drafts, in place of the same document’s payment', () => {
  const mine = [item('accept', 'd1'), item('pay', 'd2'), item('pay', 'd3'), item('draft', 'd4')];
  const share = { document_id: 'd2', document_name: 'Rent', amount: 2.8 };
  const all = withShares(mine, [share]);
  expect(all.map(({ kind, document_id }) => `${kind} ${document_id}`)).toEqual([
    'accept d1',
    'pay d3',
    'share d2',
    'draft d4',
  ]);
  expect(all.map(linkOf)[2]).toBe('/document/d2/payment');
  expect(withShares(mine, [])).toEqual(mine);
});
