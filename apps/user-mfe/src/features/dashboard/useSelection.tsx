import type { Document } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { Checkbox } from '@karaar/ui/fields';
import type { Column } from '@karaar/ui/tables';
import { useState } from 'react';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

/** The documents selected for a download, kept over the pages of the list; null while the user selects none. */
export function useSelection() {
  const t = useTexts(dashboardTexts);
  const [ids, setIds] = useState<readonly string[] | null>(null);
  const column = (chosen: readonly string[]): Column<Document> => ({
    key: 'select',
    header: t('select'),
    cell: ({ document_id: id, name, status }) => (
      <Checkbox
        label={
          <span className="k-hidden">
            {status === 'finalized' ? t('selectName', { name }) : t('notSealed', { name })}
          </span>
        }
        checked={chosen.includes(id)}
        disabled={status !== 'finalized'}
        onChange={(on) => setIds(on ? [...chosen, id] : chosen.filter((other) => other !== id))}
      />
    ),
  });
  return { ids, columns: ids ? [column(ids)] : [], toggle: () => setIds(ids ? null : []) };
}
