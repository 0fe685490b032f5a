import { Button, CodeText, Sheet, StatusStamp } from '@karaar/ui';
import { SearchField } from '@karaar/ui/fields';
import { DataTable, FilterChips, Pager, ToolRow, type Column } from '@karaar/ui/tables';
import { useState } from 'react';
import { wide, type Group } from '../gallery.ts';

type Row = { name: string; code: string; status: string; created: string; total: string };
const rows: Row[] = [
  {
    name: 'Rent agreement, Kothrud',
    code: '7K2M9QXA',
    status: 'pending',
    created: '21 Nov 2026',
    total: '₹335.00',
  },
  { name: 'Sale of a scooter', code: 'A1B2C3D4', status: 'approved', created: '18 Nov 2026', total: '₹1.00' },
  {
    name: 'किराया समझौता, पुणे',
    code: 'Q9W8E7R6',
    status: 'finalized',
    created: '2 Nov 2026',
    total: '₹30.00',
  },
];
const columns: Column<Row>[] = [
  {
    key: 'name',
    header: 'Name',
    title: true,
    sortable: true,
    cell: (row) => <a href="#data-table">{row.name}</a>,
  },
  { key: 'code', header: 'Code', cell: (row) => <CodeText code={row.code} label="document code" /> },
  { key: 'status', header: 'Status', cell: (row) => <StatusStamp status={row.status} /> },
  { key: 'created', header: 'Created', sortable: true, cell: (row) => row.created },
  { key: 'total', header: 'Total', align: 'end', cell: (row) => row.total },
  { key: 'actions', header: 'Actions', actions: true, cell: () => <Button compact>Manage</Button> },
];

function Demo() {
  const [sorting, setSorting] = useState({ key: 'created', descending: true });
  const [chosen, setChosen] = useState<string[]>(['pending']);
  const [search, setSearch] = useState('');
  const sorted = [...rows].sort((a, b) => (sorting.descending ? -1 : 1) * (a.name < b.name ? -1 : 1));
  return (
    <>
      <ToolRow search={<SearchField label="Search" value={search} onChange={setSearch} />}>
        <FilterChips
          label="Status"
          chips={[
            { value: 'pending', label: 'Pending', count: 12 },
            { value: 'approved', label: 'Approved', count: 3 },
            { value: 'finalized', label: 'Finalized', count: 48 },
          ]}
          chosen={chosen}
          onChange={setChosen}
        />
      </ToolRow>
      <br />
      <Sheet flush>
        <DataTable
          caption="Documents"
          columns={columns}
          rows={sorted}
          rowKey={(row) => row.code}
          sorting={sorting}
          onSort={setSorting}
        />
        <Pager label="Pages of documents" onNext={() => undefined}>
          3 of 63 documents
        </Pager>
      </Sheet>
    </>
  );
}

export const tables: Group = {
  title: 'Tables',
  entries: [
    wide('DataTable', 'A table on a wide screen, cards on a narrow one; with search, filters and pages.', {
      'with ToolRow, FilterChips and Pager': <Demo />,
    }),
  ],
};
