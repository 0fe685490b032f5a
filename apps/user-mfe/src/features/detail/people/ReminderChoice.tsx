import { call, toastText } from '@karaar/api-client';
import { documentsRoutes, type Document, type ReminderRhythm } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { SegmentedControl } from '@karaar/ui/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { documentKeys } from '../../../shared/queries.ts';
import css from '../detail.module.css';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

const RHYTHMS = [
  ['off', 'remindersOff', 'remindersOffNote'],
  ['gentle', 'remindersGentle', 'remindersGentleNote'],
  ['usual', 'remindersUsual', 'remindersUsualNote'],
] as const;

/** Sets how often Karaar reminds the other people automatically; the creator can still remind by hand. */
export function ReminderChoice({ document }: { document: Document }) {
  const t = useTexts(detailTexts);
  const queries = useQueryClient();
  const choose = useMutation({
    mutationFn: (reminders: ReminderRhythm) =>
      call(documentsRoutes.chooseReminders, {
        params: { id: document.document_id },
        body: { reminders },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: documentKeys.all }),
    onError: (error) => toast.error(toastText(error, t('remindersFailed'))),
  });
  const now = choose.isPending ? choose.variables : (document.reminders ?? 'usual');
  const note = RHYTHMS.find(([value]) => value === now)?.[2] ?? 'remindersUsualNote';
  return (
    <section aria-label={t('remindersTitle')} className={css.managed}>
      <h3>{t('remindersTitle')}</h3>
      <SegmentedControl
        label={t('remindersTitle')}
        options={RHYTHMS.map(([value, label]) => ({ value, label: t(label) }))}
        value={now}
        onChange={(reminders) => choose.mutate(reminders)}
      />
      <p className="k-muted">{t(note)}</p>
    </section>
  );
}
