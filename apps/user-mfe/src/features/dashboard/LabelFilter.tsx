import { screen, useTexts } from '@karaar/i18n';
import { Button, SelectField } from '@karaar/ui';
import { Suspense, useState } from 'react';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';

// In a chunk of the document page, because each further one adds to the entry.
const LabelsDialog = screen(() => import(/* webpackChunkName: "below" */ '../labels/LabelsDialog.tsx'), []);

type LabelFilterProps = {
  labels: readonly string[];
  chosen: string | undefined;
  onChoose: (label: string | undefined) => void;
};

/** Shows the documents with one of the user's own labels, and leads to the labels. */
export function LabelFilter({ labels, chosen, onChoose }: LabelFilterProps) {
  const t = useTexts(dashboardTexts);
  const [managing, setManaging] = useState(false);
  const all = chosen === undefined || labels.includes(chosen) ? labels : [...labels, chosen];
  return (
    <>
      <SelectField
        label={t('label')}
        placeholder={t('labelAll')}
        options={all.map((label) => ({ value: label, label }))}
        value={chosen ?? ''}
        onChange={(event) => onChoose(event.target.value || undefined)}
      />
      <Button onClick={() => setManaging(true)}>{t('labelManage')}</Button>
      {managing && (
        <Suspense>
          <LabelsDialog
            onChange={(name, newName) => name === chosen && onChoose(newName || undefined)}
            onClose={() => setManaging(false)}
          />
        </Suspense>
      )}
    </>
  );
}
