import { call } from '@karaar/api-client';
import { LABEL_LETTERS_MAX, labelsRoutes } from '@karaar/contracts/documents/labels';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Row, Skeleton, Stack, TextField } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { dashboardTexts } from '../../shared/catalogs/dashboard/texts.ts';
import css from './labels.module.css';
import { labelsQuery, useLabelChange } from './useLabels.ts';

type Label = { name: string; documents: number };
type LabelsDialogProps = {
  /** Called with the old and the new name of a label; the new one is empty after a deletion. */
  onChange: (name: string, newName: string) => void;
  onClose: () => void;
};

/** Renames and deletes the user's labels. */
export default function LabelsDialog({ onChange, onClose }: LabelsDialogProps) {
  const t = useTexts(dashboardTexts);
  const own = useQuery(labelsQuery);
  return (
    <Modal title={t('labelManage')} opened onClose={onClose} width={480}>
      {own.isPending && <Skeleton height={120} />}
      <ul className={css.managed}>
        {own.data?.labels.map((label) => (
          <li key={label.name}>
            <OneLabel label={label} onChange={onChange} />
          </li>
        ))}
      </ul>
      {own.data?.labels.length === 0 && <p className="k-muted">{t('labelsNone')}</p>}
    </Modal>
  );
}

function OneLabel({ label, onChange }: { label: Label } & Pick<LabelsDialogProps, 'onChange'>) {
  const t = useTexts(dashboardTexts);
  const [asked, setAsked] = useState<'rename' | 'delete' | null>(null);
  const { name, documents } = label;
  if (asked === 'rename') return <Rename name={name} onChange={onChange} onClose={() => setAsked(null)} />;
  if (asked === 'delete') return <Delete label={label} onChange={onChange} onClose={() => setAsked(null)} />;
  return (
    <Row justify="space-between">
      <span>
        <strong>{name}</strong> <span className="k-muted">{t('labelCount', { count: documents })}</span>
      </span>
      <Row>
        <Button
          compact
          variant="quiet"
          aria-label={t('labelRenameOf', { label: name })}
          onClick={() => setAsked('rename')}
        >
          {t('labelRename')}
        </Button>
        <Button
          compact
          variant="quiet"
          aria-label={t('labelDeleteOf', { label: name })}
          onClick={() => setAsked('delete')}
        >
          {t('labelDelete')}
        </Button>
      </Row>
    </Row>
  );
}

type AskedProps = Pick<LabelsDialogProps, 'onChange' | 'onClose'>;

function Rename({ name, onChange, onClose }: { name: string } & AskedProps) {
  const t = useTexts(dashboardTexts);
  const [typed, setTyped] = useState(name);
  const rename = useLabelChange(
    (new_name: string) => call(labelsRoutes.renameLabel, { body: { name, new_name } }),
    (newName) => {
      onChange(name, newName);
      onClose();
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newName = typed.trim();
    if (newName === '' || newName === name) onClose();
    else rename.mutate(newName);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap={1}>
        <TextField
          label={t('labelRenameOf', { label: name })}
          name="new_label"
          autoComplete="off"
          // The user has just asked for this field, in a dialog.
          autoFocus
          maxLength={LABEL_LETTERS_MAX}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Row justify="flex-end">
          <Button variant="quiet" onClick={onClose}>
            {t('labelKeep')}
          </Button>
          <Button type="submit" variant="primary" loading={rename.isPending}>
            {t('labelSave')}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}

function Delete({ label: { name, documents }, onChange, onClose }: { label: Label } & AskedProps) {
  const t = useTexts(dashboardTexts);
  const remove = useLabelChange(
    () => call(labelsRoutes.deleteLabel, { query: { name } }),
    () => onChange(name, ''),
  );
  return (
    <Stack gap={1}>
      <p>{t('labelDeleteAsk', { label: name, count: documents })}</p>
      <Row justify="flex-end">
        <Button variant="quiet" autoFocus onClick={onClose}>
          {t('labelKeep')}
        </Button>
        <Button variant="primary" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
          {t('labelDelete')}
        </Button>
      </Row>
    </Stack>
  );
}
