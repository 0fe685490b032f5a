import { Sheet } from '@karaar/ui';
import { AdminPage } from './AdminPage.tsx';
import { ExportButton } from './ExportButton.tsx';
import { ListRows, type ListScreenProps } from './ListRows.tsx';
import { ListTools } from './ListTools.tsx';

/** A list for admins: searched, filtered, sorted and paged by the server, with its state in the address. */
export function ListScreen<Row, K extends string>(props: ListScreenProps<Row, K>) {
  const { title, lead, name, filters, download, above, children } = props;
  return (
    <AdminPage
      title={title}
      lead={lead}
      actions={download && <ExportButton name={name} load={() => download(filters.values)} />}
    >
      {above}
      <Sheet flush>
        <ListTools filters={filters} searchLabel={props.searchLabel} choices={props.choices ?? []} />
        <ListRows {...props} />
      </Sheet>
      {children}
    </AdminPage>
  );
}
